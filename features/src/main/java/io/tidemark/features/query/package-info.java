// SPDX-License-Identifier: Apache-2.0
/**
 * Questions about features, and how they are put to PostgreSQL.
 *
 * <p>Start with {@link io.tidemark.features.query.FeatureQuery}, which says what is wanted: of
 * which collections, in which {@link io.tidemark.features.query.Area}, with which {@link
 * io.tidemark.features.query.TagFilter} and properties ({@link
 * io.tidemark.features.query.FeatureFilter}, which can be read from text). {@link
 * io.tidemark.features.query.QuerySql} makes a statement of it, in which all that somebody gave is
 * a parameter, and {@link io.tidemark.features.read.ReadTransaction} runs it.
 */
@NullMarked
package io.tidemark.features.query;

import org.jspecify.annotations.NullMarked;
