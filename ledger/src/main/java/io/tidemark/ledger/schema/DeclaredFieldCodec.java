// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Codec of field types in declared schemas.
 *
 * <p>An object is a nested record, unless it can only be meant as a description with {@code type}
 * and {@code index}, {@code optional} or {@code named}. A nested record is named after its field,
 * with a capital, unless {@code named} says otherwise; under {@code named} it is always a record,
 * so that one with a field {@code type} can be written too.
 */
final class DeclaredFieldCodec {

  private static final String TYPE = "type";
  private static final String INDEX = "index";
  private static final String OPTIONAL = "optional";
  private static final String NAMED = "named";
  private static final String FOREIGN = "foreign";
  private static final String SPEC = "spec";
  private static final String EACH = "*";
  private static final String ANY = "any";

  private final TypeId id;

  DeclaredFieldCodec(TypeId id) {
    this.id = id;
  }

  /** Reads a field of the type. */
  Field field(String name, JsonNode json) {
    return new Field(type(name, name, json), isDescription(json) && json.path(INDEX).asBoolean());
  }

  /**
   * Reads the type of a field.
   *
   * @param path location of the type, for messages
   * @param name name of the field that it is in
   */
  private FieldType type(String path, String name, JsonNode json) {
    if (json.isTextual()) {
      return word(path, json.textValue());
    }
    if (json.isArray() && json.size() == 1) {
      return new ListOf(type(path + "[]", name, json.get(0)));
    }
    if (isForeign(json)) {
      return foreign(path, name, json);
    }
    if (isDescription(json)) {
      return described(path, name, json);
    }
    if (json.size() == 1 && json.has(EACH)) {
      return new MapOf(type(path + ".*", name, json.path(EACH)));
    }
    if (json.isObject()) {
      return nested(path, capital(name), json);
    }
    throw unknown(path, CanonicalJson.write(json));
  }

  /**
   * Reads a foreign type, which has to be that of a whole field, since stored schemas have words
   * for that only.
   */
  private FieldType foreign(String path, String name, JsonNode json) {
    if (!path.equals(name)) {
      throw new InvalidSchemaException(
          id + " has foreign words inside of a field, at " + path + "; give them for the whole");
    }
    return StoredTypeReader.read(json.path(FOREIGN).asText(), json.path(SPEC));
  }

  private FieldType word(String path, String word) {
    if (word.endsWith("?")) {
      FieldType type = word(path, word.substring(0, word.length() - 1));
      return optional(type);
    }
    for (Scalar scalar : Scalar.values()) {
      if (word.equals(TypeFormatter.format(scalar))) {
        return scalar;
      }
    }
    if (word.equals(ANY)) {
      return Foreign.any();
    }
    throw unknown(path, word);
  }

  private FieldType described(String path, String name, JsonNode json) {
    if (json.has(INDEX) && !path.equals(name)) {
      throw new InvalidSchemaException(
          id + " marks " + path + " with index; only fields of the type itself can be marked");
    }
    FieldType type =
        json.has(NAMED)
            ? nested(path, json.path(NAMED).asText(), json.path(TYPE))
            : type(path, name, json.path(TYPE));
    return json.path(OPTIONAL).asBoolean() ? optional(type) : type;
  }

  private static FieldType optional(FieldType type) {
    return type instanceof Nullable ? type : new Nullable(type);
  }

  private RecordOf nested(String path, String name, JsonNode json) {
    SortedMap<String, FieldType> fields = new TreeMap<>();
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      String inner = field.getKey();
      fields.put(inner, type(path + "." + inner, inner, field.getValue()));
    }
    return new RecordOf(name, fields);
  }

  private InvalidSchemaException unknown(String path, String found) {
    List<String> words = new ArrayList<>();
    for (Scalar scalar : Scalar.values()) {
      words.add(scalar.name().toLowerCase(Locale.ROOT));
    }
    words.add(ANY);
    return new InvalidSchemaException(
        id
            + " has the field "
            + path
            + " of type "
            + ValuePreview.preview(found)
            + "; "
            + SpellingHint.hint(found, words)
            + ", each with ? if optional, [\"long\"] for a list, {\"*\": \"long\"} for a map,"
            + " {\"city\": \"string\"} for an object");
  }

  private static boolean isForeign(JsonNode json) {
    JsonNode spec = json.path(SPEC);
    return json.size() == 2 && json.path(FOREIGN).isTextual() && (spec.isNull() || spec.isObject());
  }

  private static boolean isDescription(JsonNode json) {
    if (!json.has(TYPE)) {
      return false;
    }
    for (Map.Entry<String, JsonNode> part : json.properties()) {
      boolean fits =
          switch (part.getKey()) {
            case TYPE -> true;
            case INDEX, OPTIONAL -> part.getValue().isBoolean();
            case NAMED -> part.getValue().isTextual() && json.path(TYPE).isObject();
            default -> false;
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static String capital(String name) {
    return name.isEmpty() ? name : Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  /** Writes a field so that reading it gives an equal field. */
  static JsonNode write(String name, Field field) {
    JsonNode type = write(name, field.type());
    if (!field.index()) {
      return type;
    }
    ObjectNode described = CanonicalJson.object();
    if (isDescription(type)) {
      described.setAll((ObjectNode) type);
    } else {
      described.set(TYPE, type);
    }
    return described.put(INDEX, true);
  }

  private static JsonNode write(String name, FieldType type) {
    FieldType bare = type.notNull();
    boolean word = bare instanceof Scalar || bare.equals(Foreign.any());
    if (word) {
      return TextNode.valueOf(TypeFormatter.format(type));
    }
    JsonNode form = form(name, bare);
    ObjectNode more = CanonicalJson.object();
    if (type instanceof Nullable) {
      more.put(OPTIONAL, true);
    }
    if (bare instanceof RecordOf nested
        && (!nested.name().equals(capital(name)) || looksOtherwise(form))) {
      more.put(NAMED, nested.name());
    }
    return more.isEmpty() ? form : CanonicalJson.object().<ObjectNode>set(TYPE, form).setAll(more);
  }

  private static boolean looksOtherwise(JsonNode form) {
    return isDescription(form) || isForeign(form) || form.has(EACH);
  }

  private static JsonNode form(String name, FieldType bare) {
    ObjectNode form = CanonicalJson.object();
    if (bare instanceof ListOf list) {
      return form.arrayNode().add(write(name, list.item()));
    }
    if (bare instanceof MapOf map) {
      return form.set(EACH, write(name, map.value()));
    }
    if (bare instanceof RecordOf nested) {
      nested.fields().forEach((inner, type) -> form.set(inner, write(inner, type)));
      return form;
    }
    Foreign foreign = (Foreign) bare;
    return form.put(FOREIGN, foreign.type()).set(SPEC, foreign.spec());
  }
}
