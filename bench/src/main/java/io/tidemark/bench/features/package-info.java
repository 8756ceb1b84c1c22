// SPDX-License-Identifier: Apache-2.0
/**
 * Features beside bare PostgreSQL: {@link io.tidemark.bench.features.WriteCosts} compares what
 * writes cost the server, {@link io.tidemark.bench.features.ReadTimes} how long reads take with a
 * year of history.
 */
@NullMarked
package io.tidemark.bench.features;

import org.jspecify.annotations.NullMarked;
