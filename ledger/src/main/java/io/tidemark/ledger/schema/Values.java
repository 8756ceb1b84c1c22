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

/** Values of any type in the form that is stored, or the reason why they can't be. */
final class Values {

  /** As deep as what is stored may be nested; deeper JSON isn't read. */
  private static final int DEEPEST = 150;

  private Values() {}

  static JsonNode normal(FieldType type, JsonNode value, Place place) {
    if (type instanceof Nullable optional) {
      return value.isNull() ? value : normal(optional.type(), value, place);
    }
    if (value.isNull() && !(type instanceof FieldType.Foreign)) {
      throw place.misfit(
          value, "give " + article(TypeWords.of(type)) + ", or declare the field as optional");
    }
    if (type instanceof Scalar scalar) {
      return Scalars.normal(scalar, value, place);
    }
    if (type instanceof ListOf list) {
      return list(list, value, place);
    }
    if (type instanceof MapOf map) {
      return map(map, value, place);
    }
    return type instanceof RecordOf nested ? nested(nested, value, place) : any(value, place);
  }

  /** The words with the article that they begin with. */
  static String article(String words) {
    return ("aeiouAEIOU".indexOf(words.charAt(0)) < 0 ? "a " : "an ") + words;
  }

  private static JsonNode list(ListOf type, JsonNode value, Place place) {
    if (!value.isArray()) {
      throw place.misfit(
          value, "it is a list: give [..] with items of " + TypeWords.of(type.item()));
    }
    ArrayNode out = CanonicalJson.object().arrayNode(value.size());
    for (int i = 0; i < value.size(); i++) {
      out.add(normal(type.item(), value.get(i), place.item(i)));
    }
    return out;
  }

  private static JsonNode map(MapOf type, JsonNode value, Place place) {
    if (!value.isObject()) {
      throw place.misfit(
          value, "it is a map: give {..} with values of " + TypeWords.of(type.value()));
    }
    ObjectNode out = CanonicalJson.object();
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      Place at = place.field(entry.getKey());
      out.set(key(entry.getKey(), at), normal(type.value(), entry.getValue(), at));
    }
    return out;
  }

  private static JsonNode nested(RecordOf type, JsonNode value, Place place) {
    if (!value.isObject()) {
      throw place.misfit(
          value, "it is an object: give {..} with the fields " + type.fields().keySet());
    }
    ObjectNode out = CanonicalJson.object();
    int known = 0;
    for (Map.Entry<String, FieldType> field : type.fields().entrySet()) {
      JsonNode found = value.get(field.getKey());
      known += found == null ? 0 : 1;
      Place at = place.field(field.getKey());
      out.set(
          field.getKey(),
          found == null ? missing(field.getValue(), at) : normal(field.getValue(), found, at));
    }
    if (known < value.size()) {
      throw unknown((ObjectNode) value, type.fields().keySet(), place);
    }
    return out;
  }

  /** What stands for a field that isn't given: null if that is one of its values. */
  static JsonNode missing(FieldType type, Place place) {
    if (type instanceof Nullable) {
      return NullNode.getInstance();
    }
    throw place.error(
        place.path()
            + " is missing; give "
            + article(TypeWords.of(type))
            + ", since what is asserted are all fields");
  }

  /** The error about the first field that isn't known. */
  static InvalidValueException unknown(ObjectNode value, Collection<String> known, Place place) {
    String name =
        value.properties().stream()
            .map(Map.Entry::getKey)
            .filter(field -> !known.contains(field))
            .findFirst()
            .orElseThrow();
    Place at = place.field(name);
    return place.error(
        "there is no field " + Shortened.of(at.path()) + "; " + Nearest.hint(name, known));
  }

  /** Any JSON, but with text that is Unicode, and with every number that has a point a double. */
  private static JsonNode any(JsonNode value, Place place) {
    return switch (value.getNodeType()) {
      case STRING -> Scalars.normal(Scalar.STRING, value, place);
      case NUMBER -> Scalars.number(value, place);
      case ARRAY -> {
        requireShallow(place);
        ArrayNode out = CanonicalJson.object().arrayNode(value.size());
        for (int i = 0; i < value.size(); i++) {
          out.add(any(value.get(i), place.item(i)));
        }
        yield out;
      }
      case OBJECT -> {
        requireShallow(place);
        ObjectNode out = CanonicalJson.object();
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
          Place at = place.field(entry.getKey());
          out.set(key(entry.getKey(), at), any(entry.getValue(), at));
        }
        yield out;
      }
      case BOOLEAN, NULL -> value;
      default -> throw place.misfit(value, "give JSON");
    };
  }

  private static String key(String key, Place place) {
    if (!Scalars.isUnicode(key)) {
      throw place.error(
          Shortened.of(place.path())
              + " has half of a surrogate pair in its name, which is no character; give the whole"
              + " or none");
    }
    return key;
  }

  private static void requireShallow(Place place) {
    if (place.depth() > DEEPEST) {
      throw place.error(
          Shortened.of(place.path())
              + " is nested more than "
              + DEEPEST
              + " deep; keep it flatter");
    }
  }
}
