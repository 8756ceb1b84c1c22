// SPDX-License-Identifier: Apache-2.0
/**
 * What every benchmark is made with: options, duels of Tidemark with a peer, and the report. Start
 * with {@link io.tidemark.bench.measure.PairedBenchmark} and {@link
 * io.tidemark.bench.measure.Report}.
 */
@NullMarked
package io.tidemark.bench.measure;

import org.jspecify.annotations.NullMarked;
