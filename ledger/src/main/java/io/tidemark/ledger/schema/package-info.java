// SPDX-License-Identifier: Apache-2.0
/**
 * Types of entities and relations: their fields, and the check of values against them.
 *
 * <p>Start with {@link io.tidemark.ledger.schema.TypeSchema}, the one model under Java records
 * ({@link io.tidemark.ledger.schema.RecordType}), declared schemas ({@link
 * io.tidemark.ledger.schema.DeclaredSchema}) and schemas read from a store ({@link
 * io.tidemark.ledger.schema.StoredSchema}). {@link io.tidemark.ledger.schema.ValueCheck} holds
 * values to it.
 */
@NullMarked
package io.tidemark.ledger.schema;

import org.jspecify.annotations.NullMarked;
