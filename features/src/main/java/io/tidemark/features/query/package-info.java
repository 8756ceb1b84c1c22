// SPDX-License-Identifier: Apache-2.0
/**
 * Queries for features, and their translation to SQL.
 *
 * <p>Start with {@link io.tidemark.features.query.FeatureQuery}, which describes the query: its
 * collections, its {@link io.tidemark.features.query.Area}, its {@link
 * io.tidemark.features.query.TagFilter} and its conditions on properties ({@link
 * io.tidemark.features.query.FeatureFilter}, which can be parsed from text). {@link
 * io.tidemark.features.query.QuerySql} makes a statement of it, in which all values from callers
 * are parameters, and {@link io.tidemark.features.read.ReadTransaction} runs it.
 */
@NullMarked
package io.tidemark.features.query;

import org.jspecify.annotations.NullMarked;
