// SPDX-License-Identifier: Apache-2.0
/** Features beside PostgreSQL itself: the same rows in the same tables, without what we add. */
@NullMarked
package io.tidemark.bench.features;

import org.jspecify.annotations.NullMarked;
