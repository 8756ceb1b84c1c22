// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.util.DefaultSdkAutoConstructMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Builder that collects the names and values of a request's expressions. A name that might be one
 * of the many reserved words goes through a placeholder; none of those has an underscore. The
 * server refuses a request with an empty map of either; the SDK's own empty map isn't sent.
 */
final class ExpressionBuilder {

  /** Words that aren't reserved. */
  private static final Set<String> PLAIN =
      Set.of(AttributeNames.PK, AttributeNames.SK, AttributeNames.RETRACTED);

  private final Map<String, String> names = new LinkedHashMap<>();
  private final Map<String, AttributeValue> values = new LinkedHashMap<>();

  /** Returns the placeholder of an attribute name in an expression. */
  String name(String attribute) {
    if (attribute.indexOf('_') >= 0 || PLAIN.contains(attribute)) {
      return attribute;
    }
    String placeholder = "#" + attribute;
    names.put(placeholder, attribute);
    return placeholder;
  }

  /** Returns the placeholder of a value. */
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

  /** Returns the names behind placeholders, for the request. */
  Map<String, String> names() {
    return names.isEmpty() ? DefaultSdkAutoConstructMap.getInstance() : names;
  }

  /** Returns the values behind placeholders, for the request. */
  Map<String, AttributeValue> values() {
    return values.isEmpty() ? DefaultSdkAutoConstructMap.getInstance() : values;
  }
}
