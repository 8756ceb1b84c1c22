// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Comparator;

/** Identity of a row among all rows of its type. Ordered by code points, part by part. */
public sealed interface Identity extends Comparable<Identity> {

  /** Identity of an entity. */
  record EntityKey(String key) implements Identity {
    @Override
    public String toString() {
      return key;
    }
  }

  /**
   * Identity of a relation.
   *
   * @param instance empty for a relation without an instance key
   */
  record RelationKey(String left, String right, String instance) implements Identity {
    private static final Comparator<RelationKey> ORDER =
        Comparator.comparing(RelationKey::left, CanonicalJson.ORDER)
            .thenComparing(RelationKey::right, CanonicalJson.ORDER)
            .thenComparing(RelationKey::instance, CanonicalJson.ORDER);

    @Override
    public String toString() {
      return "(" + left + ", " + right + (instance.isEmpty() ? "" : ", " + instance) + ")";
    }
  }

  @Override
  default int compareTo(Identity other) {
    if (this instanceof EntityKey one && other instanceof EntityKey two) {
      return CanonicalJson.ORDER.compare(one.key(), two.key());
    }
    if (this instanceof RelationKey one && other instanceof RelationKey two) {
      return RelationKey.ORDER.compare(one, two);
    }
    throw new IllegalArgumentException(this + " and " + other + " are of different kinds");
  }
}
