// SPDX-License-Identifier: Apache-2.0
/**
 * The database below the features: {@link io.tidemark.features.db.Database} keeps the connections,
 * {@link io.tidemark.features.db.SchemaInstaller} installs what the storage needs. All SQL goes
 * through a {@link io.tidemark.features.db.SqlSession}, which a {@link
 * io.tidemark.features.db.FeatureStorage} hands out, and {@link
 * io.tidemark.features.db.PostgresErrorTranslator} says in our words what PostgreSQL reports in its
 * own.
 */
@NullMarked
package io.tidemark.features.db;

import org.jspecify.annotations.NullMarked;
