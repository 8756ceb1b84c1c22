// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics of a server, which Prometheus scrapes at {@code /metrics}.
 *
 * <p>Start with {@link io.tidemark.server.metrics.Meters}, which components with something to count
 * receive.
 */
@NullMarked
package io.tidemark.server.metrics;

import org.jspecify.annotations.NullMarked;
