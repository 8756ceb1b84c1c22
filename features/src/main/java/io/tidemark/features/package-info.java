// SPDX-License-Identifier: Apache-2.0
/**
 * GeoJSON features in PostgreSQL with PostGIS, and every state they ever had.
 *
 * <p>Start with {@link io.tidemark.features.Features}, which opens a storage, and {@link
 * io.tidemark.features.write.Transaction}, in which all writing takes place. The tables, the
 * triggers and the functions that a person with {@code psql} finds are made by the SQL files beside
 * {@link io.tidemark.features.db.SchemaInstaller}.
 */
@NullMarked
package io.tidemark.features;

import org.jspecify.annotations.NullMarked;
