// SPDX-License-Identifier: Apache-2.0
/**
 * Counters of a server, which Prometheus fetches at {@code /metrics}.
 *
 * <p>Start with {@link io.tidemark.server.metrics.Meters}, which whoever has something to count is
 * given.
 */
@NullMarked
package io.tidemark.server.metrics;

import org.jspecify.annotations.NullMarked;
