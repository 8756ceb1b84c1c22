// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import org.jspecify.annotations.Nullable;

/**
 * A record whose bytes are also made a class without a name; so it can't have the methods that a
 * compiler makes for records, which call the class by its name.
 */
@Entity(name = "Thing")
record HiddenThing(
    @Key String id, long whole, int small, double real, boolean flag, Integer boxed) {

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return id;
  }
}
