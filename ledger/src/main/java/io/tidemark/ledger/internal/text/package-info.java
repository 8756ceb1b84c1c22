// SPDX-License-Identifier: Apache-2.0
/**
 * Conditions as people write them: {@code tier = "Gold" and age > 30}.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.text.FilterParser}. The grammar is in {@code
 * docs/design/query.md}.
 */
@NullMarked
package io.tidemark.ledger.internal.text;

import org.jspecify.annotations.NullMarked;
