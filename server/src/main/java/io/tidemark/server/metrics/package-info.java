// SPDX-License-Identifier: Apache-2.0
/**
 * What is counted of a server, for Prometheus to fetch at {@code /metrics}.
 *
 * <p>Start with {@link io.tidemark.server.metrics.Meters}, which whoever has something to count is
 * given.
 */
@NullMarked
package io.tidemark.server.metrics;

import org.jspecify.annotations.NullMarked;
