// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the source tree as a whole. They are in this room because it is built last and sees all
 * the others.
 */
@NullMarked
package io.tidemark.bench.house;

import org.jspecify.annotations.NullMarked;
