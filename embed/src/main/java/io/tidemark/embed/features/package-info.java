// SPDX-License-Identifier: Apache-2.0
/** Features in process: {@link io.tidemark.embed.features.EmbeddedFeatures} over PostgreSQL. */
@NullMarked
package io.tidemark.embed.features;

import org.jspecify.annotations.NullMarked;
