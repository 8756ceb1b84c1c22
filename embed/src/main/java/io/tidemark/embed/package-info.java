// SPDX-License-Identifier: Apache-2.0
/**
 * The services of {@link io.tidemark.Tidemark} in process. {@link
 * io.tidemark.embed.EmbeddedTidemark} opens the parts when they are first used; a server is one of
 * these with routes in front.
 */
@NullMarked
package io.tidemark.embed;

import org.jspecify.annotations.NullMarked;
