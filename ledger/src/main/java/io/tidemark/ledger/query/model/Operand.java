// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/** Value that a condition, an order or a group refers to. */
public sealed interface Operand permits FieldPath, MetaField {

  /**
   * Returns the operand as it is written: {@code profile.city}, {@code left.tier}, {@code @key}.
   */
  @Override
  String toString();
}
