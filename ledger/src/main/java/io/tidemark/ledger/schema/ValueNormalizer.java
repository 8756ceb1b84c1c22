// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Collection;
import java.util.Map;

/** Normaliser of values of any type to canonical form; reports values that have none. */
final class ValueNormalizer {

  /** Maximum nesting depth of stored values; deeper JSON isn't read. */
  private static final int DEEPEST = 150;

  private ValueNormalizer() {}

  static JsonNode normalize(FieldType type, JsonNode value, ValuePath valuePath) {
    if (type instanceof Nullable optional) {
      return value.isNull() ? value : normalize(optional.type(), value, valuePath);
    }
    if (value.isNull() && !(type instanceof FieldType.Foreign)) {
      throw valuePath.mismatch(
          value,
          "give " + article(TypeFormatter.format(type)) + ", or declare the field as optional");
    }
    if (type instanceof Scalar scalar) {
      return ScalarNormalizer.normalize(scalar, value, valuePath);
    }
    if (type instanceof ListOf list) {
      return list(list, value, valuePath);
    }
    if (type instanceof MapOf map) {
      return map(map, value, valuePath);
    }
    return type instanceof RecordOf nested
        ? nested(nested, value, valuePath)
        : any(value, valuePath);
  }

  /** Returns the words with their article. */
  static String article(String words) {
    return ("aeiouAEIOU".indexOf(words.charAt(0)) < 0 ? "a " : "an ") + words;
  }

  private static JsonNode list(ListOf type, JsonNode value, ValuePath valuePath) {
    if (!value.isArray()) {
      throw valuePath.mismatch(
          value, "it is a list: give [..] with items of " + TypeFormatter.format(type.item()));
    }
    ArrayNode out = CanonicalJson.object().arrayNode(value.size());
    for (int i = 0; i < value.size(); i++) {
      out.add(normalize(type.item(), value.get(i), valuePath.item(i)));
    }
    return out;
  }

  private static JsonNode map(MapOf type, JsonNode value, ValuePath valuePath) {
    if (!value.isObject()) {
      throw valuePath.mismatch(
          value, "it is a map: give {..} with values of " + TypeFormatter.format(type.value()));
    }
    ObjectNode out = CanonicalJson.object();
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      ValuePath at = valuePath.field(entry.getKey());
      out.set(key(entry.getKey(), at), normalize(type.value(), entry.getValue(), at));
    }
    return out;
  }

  private static JsonNode nested(RecordOf type, JsonNode value, ValuePath valuePath) {
    if (!value.isObject()) {
      throw valuePath.mismatch(
          value, "it is an object: give {..} with the fields " + type.fields().keySet());
    }
    ObjectNode out = CanonicalJson.object();
    int known = 0;
    for (Map.Entry<String, FieldType> field : type.fields().entrySet()) {
      JsonNode found = value.get(field.getKey());
      known += found == null ? 0 : 1;
      ValuePath at = valuePath.field(field.getKey());
      out.set(
          field.getKey(),
          found == null ? missing(field.getValue(), at) : normalize(field.getValue(), found, at));
    }
    if (known < value.size()) {
      throw unknown((ObjectNode) value, type.fields().keySet(), valuePath);
    }
    return out;
  }

  /** Returns the value of a missing field: null if that is one of its values. */
  static JsonNode missing(FieldType type, ValuePath valuePath) {
    if (type instanceof Nullable) {
      return NullNode.getInstance();
    }
    throw valuePath.error(
        valuePath.path()
            + " is missing; give "
            + article(TypeFormatter.format(type))
            + ", since what is asserted are all fields");
  }

  /** Returns the error about the first unknown field. */
  static InvalidValueException unknown(
      ObjectNode value, Collection<String> known, ValuePath valuePath) {
    String name =
        value.properties().stream()
            .map(Map.Entry::getKey)
            .filter(field -> !known.contains(field))
            .findFirst()
            .orElseThrow();
    ValuePath at = valuePath.field(name);
    return valuePath.error(
        "there is no field "
            + ValuePreview.preview(at.path())
            + "; "
            + SpellingHint.hint(name, known));
  }

  /**
   * Normalises any JSON: text has to be Unicode, and every number with a point becomes a double.
   */
  private static JsonNode any(JsonNode value, ValuePath valuePath) {
    return switch (value.getNodeType()) {
      case STRING -> ScalarNormalizer.normalize(Scalar.STRING, value, valuePath);
      case NUMBER -> ScalarNormalizer.number(value, valuePath);
      case ARRAY -> {
        requireShallow(valuePath);
        ArrayNode out = CanonicalJson.object().arrayNode(value.size());
        for (int i = 0; i < value.size(); i++) {
          out.add(any(value.get(i), valuePath.item(i)));
        }
        yield out;
      }
      case OBJECT -> {
        requireShallow(valuePath);
        ObjectNode out = CanonicalJson.object();
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
          ValuePath at = valuePath.field(entry.getKey());
          out.set(key(entry.getKey(), at), any(entry.getValue(), at));
        }
        yield out;
      }
      case BOOLEAN, NULL -> value;
      default -> throw valuePath.mismatch(value, "give JSON");
    };
  }

  private static String key(String key, ValuePath valuePath) {
    if (!ScalarNormalizer.isUnicode(key)) {
      throw valuePath.error(
          ValuePreview.preview(valuePath.path())
              + " has half of a surrogate pair in its name, which is no character; give the whole"
              + " or none");
    }
    return key;
  }

  private static void requireShallow(ValuePath valuePath) {
    if (valuePath.depth() > DEEPEST) {
      throw valuePath.error(
          ValuePreview.preview(valuePath.path())
              + " is nested more than "
              + DEEPEST
              + " deep; keep it flatter");
    }
  }
}
