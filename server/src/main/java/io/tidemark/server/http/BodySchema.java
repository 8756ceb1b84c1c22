// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import static io.tidemark.server.http.ApiDescription.resolved;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.server.problem.ProblemException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Schema of a JSON body, compiled once from the description of an operation.
 *
 * <p>It knows those keywords of JSON Schema that the description uses for bodies: {@code type},
 * {@code properties}, {@code required}, {@code additionalProperties}, {@code items}, {@code enum},
 * the limits of numbers and lists, and {@code oneOf} and {@code anyOf}, of whose alternatives the
 * first counts that has its required members. An object is open if its schema lists no properties,
 * or allows additional ones. A member that is null counts as missing unless its type allows null.
 */
final class BodySchema {

  /** Admits every document. */
  static final BodySchema ANY = of(MissingNode.getInstance());

  private static final int LONGEST_SHOWN = 60;

  /** Extent of a check. */
  private enum Check {
    /** Only members that aren't described. */
    MEMBERS,
    /** Everything that the schema says. */
    ALL
  }

  private final List<BodySchema> alternatives = new ArrayList<>();
  private final List<String> types;
  private final List<String> required;
  private final Map<String, BodySchema> properties = new TreeMap<>();
  private final JsonNode values;
  private final JsonNode limits;
  private final boolean open;
  private final @Nullable BodySchema additional;
  private final @Nullable BodySchema items;

  private BodySchema(JsonNode schema, Map<JsonNode, BodySchema> known) {
    known.put(schema, this); // a schema may contain itself
    for (String word : List.of("oneOf", "anyOf")) {
      schema.path(word).forEach(each -> alternatives.add(of(each, known)));
    }
    this.types =
        schema.path("type").isTextual()
            ? List.of(schema.path("type").textValue())
            : texts(schema.path("type"));
    this.required = texts(schema.path("required"));
    schema
        .path("properties")
        .properties()
        .forEach(each -> properties.put(each.getKey(), of(each.getValue(), known)));
    this.values = schema.path("enum");
    this.limits = schema;
    JsonNode others = schema.path("additionalProperties");
    this.open = others.isMissingNode() ? properties.isEmpty() : !others.equals(BooleanNode.FALSE);
    this.additional = open && others.isObject() ? of(others, known) : null;
    this.items = schema.has("items") ? of(schema.path("items"), known) : null;
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.textValue()));
    return texts;
  }

  /** Compiles a schema, or the schema that it refers to. */
  static BodySchema of(JsonNode schema) {
    return of(schema, new IdentityHashMap<>());
  }

  private static BodySchema of(JsonNode given, Map<JsonNode, BodySchema> known) {
    JsonNode schema = resolved(given);
    BodySchema before = known.get(schema);
    return before == null ? new BodySchema(schema, known) : before;
  }

  /** Refuses members that aren't described, at any depth. */
  void requireKnownMembers(JsonNode body) {
    check("the body", body, Check.MEMBERS);
  }

  /** Refuses a body that doesn't match the schema. */
  void requireValid(JsonNode body) {
    check("the body", body, Check.ALL);
  }

  private void check(String what, JsonNode given, Check check) {
    if (!alternatives.isEmpty()) {
      alternatives.stream()
          .filter(each -> each.required.stream().allMatch(given::has))
          .findFirst()
          .orElse(alternatives.get(0))
          .check(what, given, check);
      return;
    }
    if (given.isObject()) {
      requireKnown(what, given);
    }
    if (check == Check.ALL) {
      requireFitting(what, given);
    }
    if (given.isArray() && items != null) {
      for (JsonNode each : given) {
        items.check("an item of " + what, each, check);
      }
    } else if (given.isObject() && (additional != null || !properties.isEmpty())) {
      for (Map.Entry<String, JsonNode> member : given.properties()) {
        BodySchema schema = properties.getOrDefault(member.getKey(), additional);
        if (schema != null && !schema.isAsMissing(member.getValue())) {
          schema.check('"' + member.getKey() + '"', member.getValue(), check);
        }
      }
    }
  }

  /** Returns whether a value counts as missing: a null that the type doesn't allow. */
  private boolean isAsMissing(@Nullable JsonNode value) {
    return value == null
        || (value.isNull()
            && alternatives.isEmpty()
            && !types.isEmpty()
            && !types.contains("null"));
  }

  private void requireKnown(String what, JsonNode given) {
    if (open) {
      return;
    }
    for (Map.Entry<String, JsonNode> member : given.properties()) {
      if (!properties.containsKey(member.getKey())) {
        throw HttpRequestContext.invalid(
            "%s has no member \"%s\"; there are %s"
                .formatted(what, member.getKey(), String.join(", ", properties.keySet())));
      }
    }
  }

  private void requireFitting(String what, JsonNode given) {
    if (!types.isEmpty() && types.stream().noneMatch(type -> isOf(type, given))) {
      throw misfit(what, given);
    }
    if (!values.isEmpty() && values.valueStream().noneMatch(given::equals)) {
      throw misfit(what, given);
    }
    if (given.isNumber() && !isWithin(given.decimalValue(), "minimum", "maximum")) {
      throw misfit(what, given);
    }
    if (given.isArray() && !isWithin(BigDecimal.valueOf(given.size()), "minItems", "maxItems")) {
      throw misfit(what, given);
    }
    if (given.isObject()) {
      for (String name : required) {
        BodySchema schema = properties.getOrDefault(name, ANY);
        if (schema.isAsMissing(given.get(name))) {
          throw HttpRequestContext.invalid(
              "%s needs \"%s\", %s".formatted(what, name, schema.expected()));
        }
      }
    }
  }

  private static boolean isOf(String type, JsonNode given) {
    return switch (type) {
      case "integer" -> given.isIntegralNumber() && given.canConvertToLong();
      case "number" -> given.isNumber();
      case "string" -> given.isTextual();
      case "boolean" -> given.isBoolean();
      case "object" -> given.isObject();
      case "array" -> given.isArray();
      default -> given.isNull();
    };
  }

  private boolean isWithin(BigDecimal number, String least, String greatest) {
    return (!limits.has(least) || number.compareTo(limits.path(least).decimalValue()) >= 0)
        && (!limits.has(greatest) || number.compareTo(limits.path(greatest).decimalValue()) <= 0);
  }

  private ProblemException misfit(String what, JsonNode given) {
    String value = given.toString();
    return HttpRequestContext.invalid(
        "%s must be %s, got %s"
            .formatted(
                what,
                expected(),
                value.length() > LONGEST_SHOWN
                    ? value.substring(0, LONGEST_SHOWN) + "..."
                    : value));
  }

  /** Describes the values that are valid, such as {@code an integer from 1 to 100}. */
  private String expected() {
    if (!values.isEmpty()) {
      return "one of "
          + values.valueStream().map(JsonNode::toString).collect(Collectors.joining(", "));
    }
    String kinds =
        types.stream()
            .map(
                type ->
                    type.equals("null")
                        ? type
                        : "aeiou".indexOf(type.charAt(0)) < 0 ? "a " + type : "an " + type)
            .collect(Collectors.joining(" or "));
    return (kinds.isEmpty() ? "a value" : kinds)
        + range("minimum", "maximum", "")
        + range("minItems", "maxItems", " items");
  }

  private String range(String least, String greatest, String unit) {
    if (!limits.has(least) && !limits.has(greatest)) {
      return "";
    }
    if (!limits.has(greatest)) {
      return " of at least " + limits.path(least).asText() + unit;
    }
    return limits.has(least)
        ? " from %s to %s%s"
            .formatted(limits.path(least).asText(), limits.path(greatest).asText(), unit)
        : " of at most " + limits.path(greatest).asText() + unit;
  }
}
