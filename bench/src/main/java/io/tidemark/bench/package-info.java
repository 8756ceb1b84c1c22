// SPDX-License-Identifier: Apache-2.0
/**
 * Benchmarks. Each runs beside its peer or its floor in the same run and prints the ratio, because
 * absolute times say more about the machine than about the code. Start with {@link
 * io.tidemark.bench.BenchCommand}, which lists them; what they share is in {@code measure}.
 */
@NullMarked
package io.tidemark.bench;

import org.jspecify.annotations.NullMarked;
