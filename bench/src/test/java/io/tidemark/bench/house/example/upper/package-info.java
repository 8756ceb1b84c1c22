// SPDX-License-Identifier: Apache-2.0
/** The upper of two rooms that break the rules, to show that it is noticed. */
@NullMarked
package io.tidemark.bench.house.example.upper;

import org.jspecify.annotations.NullMarked;
