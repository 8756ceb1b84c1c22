// SPDX-License-Identifier: Apache-2.0
/**
 * GeoJSON as it comes and goes. {@link io.tidemark.features.geojson.GeoJson} reads the text and
 * refuses what the database can't keep.
 */
@NullMarked
package io.tidemark.features.geojson;

import org.jspecify.annotations.NullMarked;
