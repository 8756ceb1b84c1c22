// SPDX-License-Identifier: Apache-2.0
/**
 * Catalog of the types of a ledger, with the current version of each type's schema.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.catalog.Catalog}.
 */
@NullMarked
package io.tidemark.ledger.internal.catalog;

import org.jspecify.annotations.NullMarked;
