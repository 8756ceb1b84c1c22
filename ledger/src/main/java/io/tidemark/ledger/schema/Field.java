// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

/**
 * Field of a type.
 *
 * @param index whether its author marked it as one to search by; kept, since it is a part of the
 *     schema's hash, but without effect
 */
public record Field(FieldType type, boolean index) {

  /** Returns a field that isn't marked. */
  public static Field of(FieldType type) {
    return new Field(type, false);
  }
}
