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
 * How payloads of one version of a type become payloads of the next. Each step is given by the
 * version it starts from; a row that is several versions old goes through several.
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
   * These and one more.
   *
   * @param step gets a payload of its own to change, and gives the one of the next version
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
   * Says that the step from a version gives a field another name. The step itself moves the value;
   * this is remembered with the new version, so that older rows are shown with the value under its
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

  /** The fields that the step from a version renames: the new name, and the one before. */
  SortedMap<String, String> renames(TypeId type, long fromVersion) {
    return renames.getOrDefault(new Step(type, fromVersion), Collections.emptySortedMap());
  }

  Optional<UnaryOperator<ObjectNode>> from(TypeId type, long version) {
    return Optional.ofNullable(steps.get(new Step(type, version)));
  }
}
