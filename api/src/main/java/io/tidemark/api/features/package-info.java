// SPDX-License-Identifier: Apache-2.0
/**
 * Collections of GeoJSON features in PostgreSQL. Start with {@link
 * io.tidemark.api.features.FeatureService} for a storage and {@link
 * io.tidemark.api.features.CollectionService} for one collection. Features are JSON objects; all
 * other requests and results are records.
 */
@NullMarked
package io.tidemark.api.features;

import org.jspecify.annotations.NullMarked;
