// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.objects.internal.hash.Sha256;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Schema as registries and version files hold it: its meaning, and its exact JSON.
 *
 * <p>The JSON is kept because a store may use other words for the same meaning, such as {@code
 * typing.Optional[str]} for {@code str | None}, and the hash is of those words. So compare the
 * meaning of two schemas by {@link #schema()}; the hash only identifies the stored words.
 */
public final class StoredSchema {

  private static final String FIELDS = "fields";
  private static final String INDEX = "index";
  private static final String PRIMARY_KEY = "primary_key";
  private static final String INSTANCE_KEY = "instance_key_field";

  private static final int MOST_PARSED = 1_000;

  /** Most recently used schemas, since every request that commits or queries needs some. */
  private static final Map<String, StoredSchema> PARSED =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, StoredSchema> eldest) {
              return size() > MOST_PARSED;
            }
          });

  private final TypeSchema schema;
  private final String json;

  private StoredSchema(TypeSchema schema, String json) {
    this.schema = schema;
    this.json = json;
  }

  /** Returns the stored form of a declared schema. */
  public static StoredSchema of(TypeSchema schema) {
    ObjectNode json = CanonicalJson.object();
    json.put(schema.id().kind().singular() + "_name", schema.id().name());
    if (schema.identity() instanceof Endpoints ends) {
      json.put("left_type", ends.leftType()).put("right_type", ends.rightType());
      json.put(INSTANCE_KEY, ends.instanceKeyField().orElse(null));
    }
    ObjectNode fields = json.putObject(FIELDS);
    schema.fields().forEach((name, field) -> fields.set(name, write(schema, name, field)));
    return new StoredSchema(schema, CanonicalJson.write(json));
  }

  private static ObjectNode write(TypeSchema schema, String name, Field field) {
    ObjectNode json = CanonicalJson.object();
    if (schema.identity() instanceof KeyField key) {
      json.put(PRIMARY_KEY, name.equals(key.name()));
    }
    json.put(INDEX, field.index()).put("type", StoredTypeWriter.words(field.type()));
    JsonNode spec = StoredTypeWriter.spec(field.type());
    return spec.isNull() ? json : json.set("type_spec", spec);
  }

  /**
   * Parses a stored schema.
   *
   * @throws InvalidSchemaException when the JSON isn't a stored schema
   */
  public static StoredSchema parse(String json) {
    StoredSchema known = PARSED.get(json);
    if (known != null) {
      return known;
    }
    try {
      StoredSchema parsed = of(CanonicalJson.parse(json));
      PARSED.put(json, parsed);
      return parsed;
    } catch (IOException e) {
      throw new InvalidSchemaException("a stored schema isn't JSON: " + e.getMessage());
    }
  }

  /** Reads a stored schema that is parsed already. */
  public static StoredSchema of(JsonNode json) {
    TypeId id = id(json);
    SortedMap<String, Field> fields = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : json.path(FIELDS).properties()) {
      JsonNode field = entry.getValue();
      FieldType type = StoredTypeReader.read(field.path("type").asText(), field.path("type_spec"));
      fields.put(entry.getKey(), new Field(type, field.path(INDEX).asBoolean()));
    }
    IdentityRule identity = id.kind() == TypeKind.ENTITY ? keyField(id, json) : endpoints(json);
    return new StoredSchema(new TypeSchema(id, fields, identity), CanonicalJson.write(json));
  }

  /** Returns whether JSON looks like a stored schema. */
  static boolean looksStored(JsonNode json) {
    return json.has("entity_name") || json.has("relation_name");
  }

  private static TypeId id(JsonNode json) {
    for (TypeKind typeKind : TypeKind.values()) {
      JsonNode name = json.path(typeKind.singular() + "_name");
      if (name.isTextual()) {
        return new TypeId(typeKind, name.textValue());
      }
    }
    throw new InvalidSchemaException(
        "a stored schema has neither entity_name nor relation_name: "
            + ValuePreview.preview(CanonicalJson.write(json)));
  }

  private static KeyField keyField(TypeId id, JsonNode json) {
    List<String> keys = new ArrayList<>();
    json.path(FIELDS)
        .properties()
        .forEach(
            field -> {
              if (field.getValue().path(PRIMARY_KEY).asBoolean()) {
                keys.add(field.getKey());
              }
            });
    if (keys.size() != 1) {
      throw new InvalidSchemaException(
          id + " has the key fields " + keys + "; an entity has exactly one");
    }
    return new KeyField(keys.get(0));
  }

  private static Endpoints endpoints(JsonNode json) {
    return new Endpoints(
        json.path("left_type").asText(),
        json.path("right_type").asText(),
        Optional.ofNullable(json.path(INSTANCE_KEY).textValue()));
  }

  /** Returns the meaning of the stored words. */
  public TypeSchema schema() {
    return schema;
  }

  /** Returns the stored words, as canonical JSON. */
  public String json() {
    return json;
  }

  /** Returns the SHA-256 of the stored words, as 64 lower-case hex digits. */
  public String hash() {
    return Sha256.hex(json);
  }

  /** Returns the hash of a schema as it is stored, also of an invalid one. */
  public static String hashOf(JsonNode json) {
    return Sha256.hex(CanonicalJson.write(json));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredSchema that && json.equals(that.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return json;
  }
}
