// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Check of values against their type. The results are facts that have exactly the fields of the
 * type, in canonical form. A number may be given in any form that has its value; nothing else is
 * converted, in particular no text into a number.
 *
 * <p>Takes JSON as {@link CanonicalJson#parse} reads it. Doesn't change its arguments.
 */
public final class ValueCheck {

  /** Default maximum length of the canonical JSON of a row: 8 MiB. */
  public static final int MAX_ROW_BYTES = 8 << 20;

  private final TypeSchema schema;
  private final Map<String, Field> payload;
  private final int maxRowBytes;

  private ValueCheck(TypeSchema schema, int maxRowBytes) {
    this.schema = schema;
    this.payload = schema.payload();
    this.maxRowBytes = maxRowBytes;
  }

  /** Returns the check for that type, with rows of at most {@link #MAX_ROW_BYTES}. */
  public static ValueCheck of(TypeSchema schema) {
    return new ValueCheck(schema, MAX_ROW_BYTES);
  }

  /** Returns the check for that type, with a maximum number of bytes per row. */
  public static ValueCheck of(TypeSchema schema, int maxRowBytes) {
    return new ValueCheck(schema, maxRowBytes);
  }

  /** Returns the type that values are checked against. */
  public TypeSchema schema() {
    return schema;
  }

  /**
   * Returns an entity with these fields, its key among them.
   *
   * @throws InvalidValueException when they don't fit
   */
  public Fact entity(ObjectNode fields) {
    if (!(schema.identity() instanceof KeyField key)) {
      throw new IllegalArgumentException(schema.id() + " is no entity");
    }
    ValuePath unknown = ValuePath.row(schema.id(), null);
    JsonNode value = fields.path(key.name());
    ValuePath valuePath = unknown.field(key.name());
    if (value.isMissingNode() || value.isNull()) {
      throw unknown.error("the key " + key.name() + " is missing; give one to each entity");
    }
    String text = ValueNormalizer.normalize(payload(key.name()), value, valuePath).asText();
    return fact(new EntityKey(notBlank(text, "the key " + key.name(), unknown)), fields);
  }

  /**
   * Returns a relation with these fields.
   *
   * @param key key with an instance exactly if the type has a field for it
   * @param fields fields without the instance key
   * @throws InvalidValueException when they don't fit
   */
  public Fact relation(RelationKey key, ObjectNode fields) {
    if (schema.id().kind() != TypeKind.RELATION) {
      throw new IllegalArgumentException(schema.id() + " is no relation");
    }
    require(key);
    return fact(key, fields);
  }

  /** Refuses an identity that no relation of the type can have. */
  void require(RelationKey key) {
    ValuePath row = ValuePath.row(schema.id(), key);
    notBlank(key.left(), "the key of its left end", row);
    notBlank(key.right(), "the key of its right end", row);
    if (schema.instanceKeyField().isPresent()) {
      notBlank(key.instance(), "the instance key " + schema.instanceKeyField().get(), row);
    } else if (!key.instance().isEmpty()) {
      throw row.error(
          "it has the instance key \""
              + ValuePreview.preview(key.instance())
              + "\", but its type has none; leave it out, or declare an instance key field");
    }
  }

  private FieldType payload(String name) {
    Field field = payload.get(name);
    if (field == null) {
      throw new IllegalStateException("a schema has the fields it names; not " + name);
    }
    return field.type();
  }

  private static String notBlank(String key, String what, ValuePath row) {
    if (key.isBlank()) {
      throw row.error(what + " is blank; give one that tells it from all others");
    }
    if (!ScalarNormalizer.isUnicode(key)) {
      throw row.error(what + " has half of a surrogate pair, which is no character");
    }
    return key;
  }

  private Fact fact(Identity identity, ObjectNode fields) {
    ValuePath row = ValuePath.row(schema.id(), identity);
    ObjectNode out = CanonicalJson.object();
    int known = 0;
    for (Map.Entry<String, Field> field : payload.entrySet()) {
      String name = field.getKey();
      FieldType type = field.getValue().type();
      JsonNode value = fields.get(name);
      known += value == null ? 0 : 1;
      ValuePath valuePath = row.field(name);
      out.set(
          name,
          value == null
              ? ValueNormalizer.missing(type, valuePath)
              : ValueNormalizer.normalize(type, value, valuePath));
    }
    if (known < fields.size()) {
      throw ValueNormalizer.unknown(fields, payload.keySet(), row);
    }
    return fact(identity, CanonicalJson.write(out));
  }

  private Fact fact(Identity identity, String json) {
    // Canonical JSON is ASCII, so its characters are its bytes.
    requireShort(json.length(), () -> identity);
    return new Fact(schema.id(), identity, json);
  }

  boolean isShort(int payload) {
    return payload <= maxRowBytes;
  }

  /** Refuses a row whose payload is longer than the limit. */
  void requireShort(int payload, Supplier<Identity> identity) {
    if (!isShort(payload)) {
      throw ValuePath.row(schema.id(), identity.get())
          .error(
              "its fields are "
                  + payload
                  + " bytes of JSON, more than the limit of "
                  + maxRowBytes
                  + "; store what is large as an object and its key here");
    }
  }
}
