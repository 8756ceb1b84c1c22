// SPDX-License-Identifier: Apache-2.0
/**
 * Start times of the command. Start from {@link io.tidemark.bench.start.StartBenchCommand}; {@link
 * io.tidemark.bench.start.Hello} is the bare program beside which they are measured.
 */
@NullMarked
package io.tidemark.bench.start;

import org.jspecify.annotations.NullMarked;
