// SPDX-License-Identifier: Apache-2.0
/**
 * The database below the features: {@link io.tidemark.features.db.Database} keeps the connections,
 * {@link io.tidemark.features.db.SchemaInstaller} installs the storage. All SQL goes through a
 * {@link io.tidemark.features.db.SqlSession}, which a {@link
 * io.tidemark.features.db.FeatureStorage} hands out. {@link
 * io.tidemark.features.db.PostgresErrorTranslator} translates errors of PostgreSQL into exceptions
 * of Tidemark.
 */
@NullMarked
package io.tidemark.features.db;

import org.jspecify.annotations.NullMarked;
