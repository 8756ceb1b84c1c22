// SPDX-License-Identifier: Apache-2.0
/**
 * What is found and done about remotes, in JSON: {@link io.tidemark.remotes.view.RemotesView}. The
 * command prints it and the server answers it, so that both say the same.
 */
@NullMarked
package io.tidemark.remotes.view;

import org.jspecify.annotations.NullMarked;
