// SPDX-License-Identifier: Apache-2.0
/** The remote services of the API over HTTP: {@link io.tidemark.client.remotes.HttpRemotes}. */
@NullMarked
package io.tidemark.client.remotes;

import org.jspecify.annotations.NullMarked;
