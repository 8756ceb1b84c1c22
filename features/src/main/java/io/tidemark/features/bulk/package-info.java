// SPDX-License-Identifier: Apache-2.0
/**
 * Bulk operations on whole collections: load of files into a collection, and export of a collection
 * into a file. Start with {@link io.tidemark.features.bulk.BulkOperations}. {@link
 * io.tidemark.features.bulk.CollectionLoad} explains how a load works, and what remains of an
 * interrupted one.
 */
@NullMarked
package io.tidemark.features.bulk;

import org.jspecify.annotations.NullMarked;
