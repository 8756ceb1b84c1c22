// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.CorruptRecordException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An item to be read, with where it is, so that whatever is wrong with it can be named.
 *
 * @param sk its sort key; empty in a table that has none
 */
record ItemReader(String table, String pk, String sk, Map<String, AttributeValue> item) {

  /** Returns an attribute, if it is there; NULL is as good as absent. */
  private Optional<AttributeValue> attribute(String name) {
    return Optional.ofNullable(item.get(name))
        .filter(value -> value.type() != AttributeValue.Type.NUL);
  }

  Optional<String> string(String name) {
    return attribute(name)
        .map(
            value -> {
              if (value.s() == null) {
                throw wrongType(name, value, "a string");
              }
              return value.s();
            });
  }

  Optional<Long> number(String name) {
    return attribute(name)
        .map(
            value -> {
              if (value.n() == null) {
                throw wrongType(name, value, "a number");
              }
              try {
                return new BigDecimal(value.n()).longValueExact();
              } catch (ArithmeticException | NumberFormatException e) {
                throw corrupt(name + " is " + value.n() + ", which is no number of 64 bits", e);
              }
            });
  }

  Optional<ObjectNode> object(String name) {
    return attribute(name)
        .map(
            value -> {
              if (!value.hasM()) {
                throw wrongType(name, value, "a map");
              }
              return (ObjectNode) JsonAttributes.toJson(value);
            });
  }

  /** Returns a list or a set of strings; empty when there is none. */
  List<String> strings(String name) {
    Optional<AttributeValue> value = attribute(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (value.get().hasSs()) {
      return value.get().ss();
    }
    List<String> strings = new ArrayList<>();
    for (AttributeValue element : value.get().l()) {
      if (element.s() == null) {
        throw wrongType(name, element, "a list of strings");
      }
      strings.add(element.s());
    }
    return strings;
  }

  void requireNothingIn(String name) {
    attribute(name)
        .ifPresent(
            value -> {
              throw wrongType(name, value, "a map");
            });
  }

  private CorruptRecordException wrongType(String name, AttributeValue value, String wanted) {
    return corrupt(name + " is of the type " + value.type() + " and not " + wanted);
  }

  CorruptRecordException corrupt(String problem) {
    return corrupt(problem, null);
  }

  CorruptRecordException corrupt(String problem, @Nullable Throwable cause) {
    return new CorruptRecordException(
        "the item "
            + (sk.isEmpty() ? pk : sk + " of " + pk)
            + " in the table "
            + table
            + " can't be understood: "
            + problem
            + "; correct or delete it",
        cause);
  }
}
