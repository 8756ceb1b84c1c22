// SPDX-License-Identifier: Apache-2.0
/**
 * GeoJSON input and output. {@link io.tidemark.features.geojson.GeoJson} reads the text and refuses
 * documents that the database can't store. {@link io.tidemark.features.geojson.Geometry} is a
 * geometry in the form of PostGIS, and {@link io.tidemark.features.geojson.Quadkey} names the place
 * of a feature. {@link io.tidemark.features.geojson.PostgresText} tells which texts PostgreSQL can
 * store.
 */
@NullMarked
package io.tidemark.features.geojson;

import org.jspecify.annotations.NullMarked;
