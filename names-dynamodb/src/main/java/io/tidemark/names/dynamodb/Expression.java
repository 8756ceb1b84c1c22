// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Collects the names and values of a request's expressions. Every name goes through a placeholder,
 * so that none of them can be one of the many reserved words.
 */
final class Expression {

  private final Map<String, String> names = new LinkedHashMap<>();
  private final Map<String, AttributeValue> values = new LinkedHashMap<>();

  /** The placeholder of an attribute. */
  String name(String attribute) {
    String placeholder = "#" + attribute;
    names.put(placeholder, attribute);
    return placeholder;
  }

  /** The placeholder of a value. */
  String value(AttributeValue value) {
    String placeholder = ":v" + values.size();
    values.put(placeholder, value);
    return placeholder;
  }

  String text(String value) {
    return value(AttributeValue.fromS(value));
  }

  String number(long value) {
    return value(AttributeValue.fromN(Long.toString(value)));
  }

  String equal(String attribute, AttributeValue value) {
    return name(attribute) + " = " + value(value);
  }

  String absent(String attribute) {
    return "attribute_not_exists(" + name(attribute) + ")";
  }

  String present(String attribute) {
    return "attribute_exists(" + name(attribute) + ")";
  }

  Map<String, String> names() {
    return names;
  }

  Map<String, AttributeValue> values() {
    return values;
  }
}
