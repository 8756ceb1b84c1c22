// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.TypeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How payloads of one version of a type become payloads of the next. Each step is given by the
 * version it starts from; a row that is several versions old goes through several.
 */
public final class Upgraders {

  private record Step(TypeId type, long fromVersion) {}

  private final Map<Step, UnaryOperator<ObjectNode>> steps;

  private Upgraders(Map<Step, UnaryOperator<ObjectNode>> steps) {
    this.steps = Map.copyOf(steps);
  }

  public static Upgraders none() {
    return new Upgraders(Map.of());
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
    return new Upgraders(more);
  }

  Optional<UnaryOperator<ObjectNode>> from(TypeId type, long version) {
    return Optional.ofNullable(steps.get(new Step(type, version)));
  }
}
