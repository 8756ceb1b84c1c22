// SPDX-License-Identifier: Apache-2.0
/** The remote services of the API in process: {@link io.tidemark.embed.remotes.EmbeddedRemotes}. */
@NullMarked
package io.tidemark.embed.remotes;

import org.jspecify.annotations.NullMarked;
