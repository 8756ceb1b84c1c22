// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.TypeId;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Upgraders of payloads from one version of a type to the next. Each step is given by the version
 * it starts from; a row that is several versions old goes through several.
 */
public final class Upgraders {

  private record Step(TypeId type, long fromVersion) {}

  private final Map<Step, UnaryOperator<ObjectNode>> steps;
  private final Map<Step, SortedMap<String, String>> renames;

  private Upgraders(
      Map<Step, UnaryOperator<ObjectNode>> steps, Map<Step, SortedMap<String, String>> renames) {
    this.steps = Map.copyOf(steps);
    this.renames = Map.copyOf(renames);
  }

  public static Upgraders none() {
    return new Upgraders(Map.of(), Map.of());
  }

  /**
   * Returns these upgraders with one more step.
   *
   * @param step receives a payload of its own to change, and returns that of the next version
   */
  public Upgraders with(TypeId type, long fromVersion, UnaryOperator<ObjectNode> step) {
    Map<Step, UnaryOperator<ObjectNode>> more = new HashMap<>(steps);
    if (more.put(new Step(type, fromVersion), step) != null) {
      throw new MigrationException(
          "there are two upgraders of " + type + " from version " + fromVersion + "; give one");
    }
    return new Upgraders(more, renames);
  }

  /**
   * Records that the step from a version renames a field. The step itself moves the value. The
   * rename is stored with the new version, so that older rows are shown with the value under its
   * new name.
   */
  public Upgraders renaming(TypeId type, long fromVersion, String from, String to) {
    Map<Step, SortedMap<String, String>> more = new HashMap<>(renames);
    Step step = new Step(type, fromVersion);
    SortedMap<String, String> all = new TreeMap<>(renames(type, fromVersion));
    if (all.put(to, from) != null || Collections.frequency(all.values(), from) > 1) {
      throw new MigrationException(
          "two fields of " + type + " are renamed to " + to + " or from " + from + "; name one");
    }
    more.put(step, all);
    return new Upgraders(steps, more);
  }

  /** Returns the fields that the step from a version renames: the new name, and the one before. */
  SortedMap<String, String> renames(TypeId type, long fromVersion) {
    return renames.getOrDefault(new Step(type, fromVersion), Collections.emptySortedMap());
  }

  Optional<UnaryOperator<ObjectNode>> from(TypeId type, long version) {
    return Optional.ofNullable(steps.get(new Step(type, version)));
  }
}
