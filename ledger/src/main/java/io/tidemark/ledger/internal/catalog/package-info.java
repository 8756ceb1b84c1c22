// SPDX-License-Identifier: Apache-2.0
/**
 * Which types a ledger has, and which version of each type's schema is current.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.catalog.Catalog}.
 */
@NullMarked
package io.tidemark.ledger.internal.catalog;

import org.jspecify.annotations.NullMarked;
