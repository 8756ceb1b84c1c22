// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/** What a condition looks at, a query is ordered by or groups are made of. */
public sealed interface Operand permits FieldPath, MetaField {

  /** As people write it: {@code profile.city}, {@code left.tier}, {@code @key}. */
  @Override
  String toString();
}
