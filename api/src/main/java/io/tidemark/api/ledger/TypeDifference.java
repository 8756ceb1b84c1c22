// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.List;
import java.util.Map;

/**
 * Difference between a declared type and the stored one.
 *
 * @param typeKind {@code entity} or {@code relation}
 * @param storedVersion version of the stored schema; 0 if the type isn't stored any more
 * @param added fields that only the declared type has
 * @param removed fields that only the stored type has
 * @param changed fields that differ, by name; parts that aren't fields begin with two underscores
 */
public record TypeDifference(
    String typeKind,
    String typeName,
    long storedVersion,
    List<String> added,
    List<String> removed,
    Map<String, PartDifference> changed) {

  /**
   * A part of a type before and after.
   *
   * @param code declared form
   */
  public record PartDifference(String stored, String code) {}

  public TypeDifference {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    changed = OrderedMaps.copyOf(changed);
  }

  /** Returns the type, such as {@code entity:Customer}. */
  public String type() {
    return typeKind + ":" + typeName;
  }

  /** Returns the difference as text, such as {@code entity:User v1: added email; removed age}. */
  public String text() {
    if (storedVersion == 0) {
      return type() + " isn't stored";
    }
    StringBuilder text = new StringBuilder(type() + " v" + storedVersion + ":");
    String separator = " ";
    if (!added.isEmpty()) {
      text.append(separator).append("added ").append(String.join(", ", added));
      separator = "; ";
    }
    if (!removed.isEmpty()) {
      text.append(separator).append("removed ").append(String.join(", ", removed));
      separator = "; ";
    }
    for (Map.Entry<String, PartDifference> change : changed.entrySet()) {
      text.append(separator).append("changed ").append(change.getKey()).append(" from ");
      text.append(change.getValue().stored()).append(" to ").append(change.getValue().code());
      separator = "; ";
    }
    return text.toString();
  }
}
