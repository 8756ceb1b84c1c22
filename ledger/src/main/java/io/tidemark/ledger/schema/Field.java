// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

/**
 * A field of a type.
 *
 * @param index whether its author marked it as one to search by; kept, since it is a part of the
 *     schema's hash, but of no effect
 */
public record Field(FieldType type, boolean index) {

  /** A field that isn't marked. */
  public static Field of(FieldType type) {
    return new Field(type, false);
  }
}
