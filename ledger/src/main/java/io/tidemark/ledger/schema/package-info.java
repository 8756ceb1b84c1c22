// SPDX-License-Identifier: Apache-2.0
/**
 * Types of entities and relations: what they are made of, and which values fit them.
 *
 * <p>Start with {@link io.tidemark.ledger.schema.TypeSchema}, the one model under Java records,
 * schemas given as JSON and schemas read from a store.
 */
@NullMarked
package io.tidemark.ledger.schema;

import org.jspecify.annotations.NullMarked;
