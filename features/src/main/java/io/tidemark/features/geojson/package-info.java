// SPDX-License-Identifier: Apache-2.0
/**
 * GeoJSON as it comes and goes. {@link io.tidemark.features.geojson.GeoJson} reads the text and
 * refuses what the database can't keep, {@link io.tidemark.features.geojson.Geometry} is a geometry
 * as PostGIS has it, and {@link io.tidemark.features.geojson.Quadkey} names the place of a feature.
 * {@link io.tidemark.features.geojson.PostgresText} tells which texts PostgreSQL can keep.
 */
@NullMarked
package io.tidemark.features.geojson;

import org.jspecify.annotations.NullMarked;
