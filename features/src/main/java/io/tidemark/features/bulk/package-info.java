// SPDX-License-Identifier: Apache-2.0
/**
 * Whole collections at once: files into a collection, and a collection into a file. Start with
 * {@link io.tidemark.features.bulk.BulkOperations}. How a load works, and what becomes of one that
 * is interrupted, is told by {@link io.tidemark.features.bulk.CollectionLoad}.
 */
@NullMarked
package io.tidemark.features.bulk;

import org.jspecify.annotations.NullMarked;
