// SPDX-License-Identifier: Apache-2.0
/** The lower of two rooms that break the rules, to show that it is noticed. */
@NullMarked
package io.tidemark.bench.house.example.lower;

import org.jspecify.annotations.NullMarked;
