// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * Aggregate of rows. JSON has {@code "count"}, or an object such as {@code {"avg": "age"}}.
 *
 * @param function count, sum, avg, min, max, avgLen or countWhere
 * @param of the field, or the condition of countWhere; empty for count
 */
public record AggregateSpec(String function, String of) {

  private static final String COUNT = "count";

  /** Returns the number of rows. */
  public static AggregateSpec count() {
    return new AggregateSpec(COUNT, "");
  }

  /** Returns an aggregate of a field, such as {@code of("avg", "age")}. */
  public static AggregateSpec of(String function, String of) {
    return new AggregateSpec(function, of);
  }

  /** Reads the JSON form. What is of another form becomes a function that doesn't exist. */
  @JsonCreator
  static AggregateSpec of(JsonNode json) {
    if (json.isTextual()) {
      return new AggregateSpec(json.textValue(), "");
    }
    if (json.isObject() && json.size() == 1) {
      var only = json.properties().iterator().next();
      if (only.getValue().isTextual() && !only.getKey().equals(COUNT)) {
        return new AggregateSpec(only.getKey(), only.getValue().textValue());
      }
    }
    return new AggregateSpec("", json.toString());
  }

  @JsonValue
  JsonNode json() {
    return of.isEmpty() && function.equals(COUNT)
        ? JsonNodeFactory.instance.textNode(function)
        : JsonNodeFactory.instance.objectNode().put(function, of);
  }
}
