// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reader and writer of declared schemas:
 *
 * <pre>{@code
 * {"entity": "Customer", "key": "id", "fields": {
 *   "id": "string", "age": "long", "email": "string?", "tags": ["string"],
 *   "profile": {"city": "string?"}, "scores": {"*": "double"}, "anything": "any",
 *   "tier": {"type": "string", "index": true}, "aliases": {"type": ["string"], "optional": true}}}
 *
 * {"relation": "Employment", "left": "Person", "right": "Company", "instanceKey": "stint_id",
 *  "fields": {"stint_id": "string", "role": "string"}}
 * }</pre>
 *
 * <p>A document is one of these, or one in the form it is stored in, or a list of any of them.
 */
public final class DeclaredSchema {

  private static final List<String> ENTITY_PARTS = List.of("entity", "key", "fields");
  private static final List<String> RELATION_PARTS =
      List.of("relation", "left", "right", "instanceKey", "fields");

  private DeclaredSchema() {}

  /**
   * Reads a document.
   *
   * @throws InvalidSchemaException when it isn't one, naming type and field
   */
  public static List<TypeSchema> parse(String document) {
    if (document.isBlank()) {
      throw new InvalidSchemaException(
          "there are no schemas: it is empty; declare a type as {\"entity\": NAME, ..}");
    }
    try {
      return of(CanonicalJson.parse(document));
    } catch (IOException e) {
      throw new InvalidSchemaException("the schemas aren't JSON: " + e.getMessage());
    }
  }

  /** Reads a document that is parsed already. */
  public static List<TypeSchema> of(JsonNode document) {
    SortedMap<TypeId, TypeSchema> schemas = new TreeMap<>();
    List<TypeSchema> inOrder = new ArrayList<>();
    for (JsonNode one : document.isArray() ? document : List.of(document)) {
      TypeSchema schema = one(one);
      if (schemas.putIfAbsent(schema.id(), schema) != null) {
        throw new InvalidSchemaException(schema.id() + " is declared twice; keep one of them");
      }
      inOrder.add(schema);
    }
    return List.copyOf(inOrder);
  }

  private static TypeSchema one(JsonNode json) {
    if (StoredSchema.looksStored(json)) {
      return StoredSchema.of(json).schema();
    }
    if (json.has("entity") == json.has("relation")) {
      throw new InvalidSchemaException(
          "a schema begins with {\"entity\": NAME, ..} or {\"relation\": NAME, ..}; found "
              + ValuePreview.preview(CanonicalJson.write(json)));
    }
    boolean entity = json.has("entity");
    List<String> parts = entity ? ENTITY_PARTS : RELATION_PARTS;
    TypeKind typeKind = entity ? TypeKind.ENTITY : TypeKind.RELATION;
    TypeId id = new TypeId(typeKind, text(typeKind.singular(), json, typeKind.singular()));
    for (Map.Entry<String, JsonNode> part : json.properties()) {
      if (!parts.contains(part.getKey())) {
        throw new InvalidSchemaException(
            id + " has \"" + part.getKey() + "\"; " + SpellingHint.hint(part.getKey(), parts));
      }
    }
    return new TypeSchema(id, fields(id, json), identity(id, json));
  }

  private static SortedMap<String, Field> fields(TypeId id, JsonNode json) {
    JsonNode given = json.path("fields");
    if (!given.isObject() && !given.isMissingNode()) {
      throw new InvalidSchemaException(
          id + " has fields that are no object; give {\"NAME\": \"TYPE\", ..}");
    }
    SortedMap<String, Field> fields = new TreeMap<>();
    given
        .properties()
        .forEach(
            field ->
                fields.put(
                    field.getKey(),
                    new DeclaredFieldCodec(id).field(field.getKey(), field.getValue())));
    return fields;
  }

  private static IdentityRule identity(TypeId id, JsonNode json) {
    if (id.kind() == TypeKind.ENTITY) {
      return new KeyField(text(id.toString(), json, "key"));
    }
    Optional<String> instanceKey =
        json.path("instanceKey").isNull() || !json.has("instanceKey")
            ? Optional.empty()
            : Optional.of(text(id.toString(), json, "instanceKey"));
    return new Endpoints(
        text(id.toString(), json, "left"), text(id.toString(), json, "right"), instanceKey);
  }

  private static String text(String place, JsonNode json, String part) {
    JsonNode value = json.path(part);
    if (!value.isTextual()) {
      throw new InvalidSchemaException(
          place
              + (value.isMissingNode() ? " has no \"" : " has another thing than text as \"")
              + part
              + "\"; give \""
              + part
              + "\": \"NAME\"");
    }
    return value.textValue();
  }

  /** Writes a schema in this form, with its properties in reading order. */
  public static ObjectNode write(TypeSchema schema) {
    ObjectNode json = CanonicalJson.object();
    json.put(schema.id().kind().singular(), schema.id().name());
    if (schema.identity() instanceof KeyField key) {
      json.put("key", key.name());
    } else if (schema.identity() instanceof Endpoints ends) {
      json.put("left", ends.leftType()).put("right", ends.rightType());
      ends.instanceKeyField().ifPresent(name -> json.put("instanceKey", name));
    }
    ObjectNode fields = json.putObject("fields");
    schema
        .fields()
        .forEach((name, field) -> fields.set(name, DeclaredFieldCodec.write(name, field)));
    return json;
  }
}
