// SPDX-License-Identifier: Apache-2.0
/**
 * Data types that all packages of this room share: a {@link io.tidemark.features.model.Feature},
 * its {@link io.tidemark.features.model.XyzNamespace namespace} and {@link
 * io.tidemark.features.model.Guid}, the number of a {@link io.tidemark.features.model.Txn
 * transaction}, the {@link io.tidemark.features.model.CollectionInfo description} of a collection,
 * and the exceptions.
 *
 * <p>Nothing here uses the database.
 */
@NullMarked
package io.tidemark.features.model;

import org.jspecify.annotations.NullMarked;
