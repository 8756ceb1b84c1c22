// SPDX-License-Identifier: Apache-2.0
/**
 * Types of entities and relations: what they are made of, and which values fit them.
 *
 * <p>Start with {@link io.tidemark.ledger.schema.TypeSchema}, the one model under Java records
 * ({@link io.tidemark.ledger.schema.RecordType}), schemas written by people ({@link
 * io.tidemark.ledger.schema.DeclaredSchema}) and schemas read from a store ({@link
 * io.tidemark.ledger.schema.StoredSchema}). {@link io.tidemark.ledger.schema.ValueCheck} holds
 * values to it.
 */
@NullMarked
package io.tidemark.ledger.schema;

import org.jspecify.annotations.NullMarked;
