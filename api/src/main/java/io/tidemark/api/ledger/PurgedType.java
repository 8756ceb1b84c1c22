// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

/**
 * Type whose rows are deleted, since a later commit dropped it with its history.
 *
 * @param typeKind entity or relation
 * @param typeName name of the type
 * @param purgedBy commit that dropped it
 */
public record PurgedType(String typeKind, String typeName, long purgedBy) {}
