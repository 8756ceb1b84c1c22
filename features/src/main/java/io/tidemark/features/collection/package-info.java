// SPDX-License-Identifier: Apache-2.0
/**
 * Creation, listing, change and removal of collections. Start with {@link
 * io.tidemark.features.collection.CollectionCatalog}, which a transaction hands out. {@link
 * io.tidemark.features.collection.CollectionOptions} holds the options that a caller has chosen.
 */
@NullMarked
package io.tidemark.features.collection;

import org.jspecify.annotations.NullMarked;
