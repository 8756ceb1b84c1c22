// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Codec of facts as lines of JSON, as they are exported and imported:
 *
 * <pre>{@code
 * {"type_kind":"entity","type_name":"Customer","key":"c1","fields":{"id":"c1","name":"Ann"}}
 * {"type_kind":"relation","type_name":"Employment","left_key":"p1","right_key":"c1",
 *  "instance_key":"stint-1","fields":{"role":"eng"}}
 * }</pre>
 *
 * <p>When the type is known, its fields alone will do; for a relation with {@code left_key}, {@code
 * right_key} and {@code instance_key} beside them.
 */
public final class JsonFactCodec {

  private static final String KIND = "type_kind";
  private static final String NAME = "type_name";
  private static final String FIELDS = "fields";
  private static final String KEY = "key";
  private static final String LEFT = "left_key";
  private static final String RIGHT = "right_key";
  private static final String INSTANCE = "instance_key";
  private static final String COMMIT = "commit_id";
  private static final List<String> ENTITY_PARTS = List.of(KIND, NAME, KEY, FIELDS, COMMIT);
  private static final List<String> RELATION_PARTS =
      List.of(KIND, NAME, LEFT, RIGHT, INSTANCE, FIELDS, COMMIT);

  private final SortedMap<TypeId, ValueCheck> checks = new TreeMap<>();

  private final List<ExportedLineParser> exported = new ArrayList<>();

  private JsonFactCodec(Collection<ValueCheck> checks) {
    checks.forEach(check -> this.checks.put(check.schema().id(), check));
    checks.forEach(check -> ExportedLineParser.of(check).ifPresent(exported::add));
  }

  /** Returns the codec for facts of these types. */
  public static JsonFactCodec of(Collection<ValueCheck> checks) {
    return new JsonFactCodec(checks);
  }

  /**
   * Reads a line in UTF-8 that is exactly as an export writes it.
   *
   * @return false when it isn't, and only {@link #parse} can read the line
   */
  public boolean read(byte[] line, int from, int to, FactBytes out) {
    for (ExportedLineParser one : exported) {
      if (one.isOf(line, from, to)) {
        return one.read(line, from, to, out);
      }
    }
    return false;
  }

  /**
   * Reads a line that states its type.
   *
   * @throws InvalidValueException when it isn't a fact of its type
   * @throws InvalidSchemaException when its type isn't known
   */
  public Fact parse(String line) {
    return said(object(line), line);
  }

  /** Reads a row that states its type, and is parsed already. */
  public Fact parse(JsonNode row) {
    return said(object(row), row);
  }

  /** Returns the fact that a line asserts; the line itself is given for messages. */
  private Fact said(ObjectNode json, Object line) {
    TypeKind typeKind =
        TypeKind.of(json.path(KIND).asText())
            .orElseThrow(() -> noType(line, KIND, "\"entity\" or \"relation\""));
    if (!json.path(NAME).isTextual()) {
      throw noType(line, NAME, "the name of the type");
    }
    return exported(check(new TypeId(typeKind, json.path(NAME).textValue())), json);
  }

  /** Reads a line of a known type, with or without the type in it. */
  public Fact parse(String line, TypeId type) {
    return known(object(line), line, type);
  }

  /** Reads a row of a known type that is parsed already. */
  public Fact parse(JsonNode row, TypeId type) {
    return known(object(row), row, type);
  }

  private Fact known(ObjectNode json, Object line, TypeId type) {
    ValueCheck check = check(type);
    boolean exported = json.has(KIND) && !check.schema().fields().containsKey(KIND);
    if (exported) {
      Fact fact = said(json, line);
      if (!fact.type().equals(type)) {
        throw new InvalidValueException(
            "a line is of " + fact.type() + ", but " + type + " is wanted; leave out one of them");
      }
      return fact;
    }
    refuseNested(check, json);
    return type.kind() == TypeKind.ENTITY ? check.entity(json) : plainRelation(check, json);
  }

  /**
   * Refuses a line without a type whose fields are nested, since they have to be beside the keys.
   */
  private static void refuseNested(ValueCheck check, ObjectNode json) {
    if (json.path(FIELDS).isObject() && !check.schema().fields().containsKey(FIELDS)) {
      throw new InvalidValueException(
          check.schema().id()
              + ": a line has \"fields\" but doesn't say its type; write the fields of the row"
              + " themselves, without \"fields\", or give \"type_kind\" and \"type_name\", too");
    }
  }

  private Fact plainRelation(ValueCheck check, ObjectNode json) {
    requireEnds(check, json);
    ObjectNode fields = json.deepCopy();
    String left = key(check, fields.remove(LEFT), LEFT);
    String right = key(check, fields.remove(RIGHT), RIGHT);
    String instance = "";
    if (check.schema().instanceKeyField().isPresent()) {
      String name = check.schema().instanceKeyField().get();
      instance = key(check, fields.remove(fields.has(name) ? name : INSTANCE), name);
    }
    return check.relation(new RelationKey(left, right, instance), fields);
  }

  private static void requireEnds(ValueCheck check, ObjectNode json) {
    for (String end : List.of(LEFT, RIGHT)) {
      if (!json.hasNonNull(end) && check.schema().identity() instanceof Endpoints ends) {
        List<String> parts = new ArrayList<>();
        json.fieldNames().forEachRemaining(name -> parts.add(ValuePreview.preview(name)));
        throw new InvalidValueException(
            "%s: a line has no \"%s\", the key of the %s at its %s end; it has %s"
                .formatted(
                    check.schema().id(),
                    end,
                    end.equals(LEFT) ? ends.leftType() : ends.rightType(),
                    end.equals(LEFT) ? "left" : "right",
                    parts.isEmpty() ? "nothing" : String.join(", ", parts)));
      }
    }
  }

  private static Fact exported(ValueCheck check, ObjectNode json) {
    TypeSchema schema = check.schema();
    List<String> parts = schema.id().kind() == TypeKind.ENTITY ? ENTITY_PARTS : RELATION_PARTS;
    for (Map.Entry<String, JsonNode> part : json.properties()) {
      if (!parts.contains(part.getKey()) && schema.fields().containsKey(part.getKey())) {
        throw new InvalidValueException(
            schema.id()
                + ": a line has the field \""
                + part.getKey()
                + "\" beside \"type_name\"; put the fields of the row into \"fields\": {..}");
      }
      if (!parts.contains(part.getKey())) {
        throw new InvalidValueException(
            schema.id()
                + ": a line has \""
                + ValuePreview.preview(part.getKey())
                + "\"; "
                + SpellingHint.hint(part.getKey(), parts));
      }
    }
    if (!(json.path(FIELDS) instanceof ObjectNode fields)) {
      throw new InvalidValueException(
          schema.id() + ": a line has no \"fields\"; give {..} with the fields of the type");
    }
    if (schema.identity() instanceof KeyField key) {
      return entity(check, key.name(), json, fields);
    }
    requireEnds(check, json);
    String instance = json.hasNonNull(INSTANCE) ? key(check, json.get(INSTANCE), INSTANCE) : "";
    return check.relation(
        new RelationKey(
            key(check, json.get(LEFT), LEFT), key(check, json.get(RIGHT), RIGHT), instance),
        fields);
  }

  private static Fact entity(ValueCheck check, String field, ObjectNode json, ObjectNode fields) {
    Fact fact = check.entity(fields);
    if (json.has(KEY)) {
      EntityKey key = new EntityKey(key(check, json.get(KEY), KEY));
      if (!key.equals(fact.identity())) {
        throw ValuePath.row(check.schema().id(), key)
            .error(
                field
                    + " is "
                    + ValuePreview.preview(fact.identity().toString())
                    + "; make both the same");
      }
    }
    return fact;
  }

  private static String key(ValueCheck check, @Nullable JsonNode value, String name) {
    if (value == null || value.isNull()) {
      throw new InvalidValueException(
          check.schema().id() + ": a line has no " + name + "; give one to each row");
    }
    if (!value.isTextual() && !(value.isIntegralNumber() && value.canConvertToLong())) {
      throw ValuePath.row(check.schema().id(), null)
          .field(name)
          .mismatch(value, "a key is text or a whole number");
    }
    return value.asText();
  }

  private ValueCheck check(TypeId type) {
    ValueCheck check = checks.get(type);
    if (check == null) {
      List<String> known = checks.keySet().stream().map(TypeId::toString).toList();
      throw new InvalidSchemaException(
          "there is no type " + type + "; " + SpellingHint.hint(type.toString(), known));
    }
    return check;
  }

  private static ObjectNode object(String line) {
    try {
      if (CanonicalJson.parse(line) instanceof ObjectNode object) {
        return object;
      }
    } catch (IOException e) {
      throw new InvalidValueException(
          "a line isn't JSON: " + e.getMessage() + " in " + ValuePreview.preview(line));
    }
    throw noObject(line);
  }

  private static ObjectNode object(JsonNode row) {
    if (row instanceof ObjectNode object) {
      return object;
    }
    throw noObject(row);
  }

  private static InvalidValueException noObject(Object line) {
    return new InvalidValueException(
        "a line is no JSON object: " + ValuePreview.preview(line.toString()));
  }

  private static InvalidValueException noType(Object line, String part, String what) {
    return new InvalidValueException(
        "a line doesn't say its type: give \""
            + part
            + "\", "
            + what
            + ", or say the type of all lines; found "
            + ValuePreview.preview(line.toString()));
  }

  /** Returns the line of a row. */
  public static String write(TypeId type, Row row) {
    return write(type, row, "");
  }

  /** Returns the line of a row, with the commit that wrote it. */
  public static String writeWithCommit(TypeId type, Row row) {
    return write(type, row, "\"" + COMMIT + "\":" + row.commitId() + ",");
  }

  /** Builds the line from text, in canonical order, since its greatest part is text already. */
  private static String write(TypeId type, Row row, String commit) {
    StringBuilder out = new StringBuilder(row.fieldsJson().length() + 128);
    out.append('{').append(commit).append("\"fields\":").append(row.fieldsJson());
    if (row.identity() instanceof RelationKey key) {
      if (!key.instance().isEmpty()) {
        part(out, INSTANCE, key.instance());
      }
      part(out, LEFT, key.left());
      part(out, RIGHT, key.right());
    } else if (row.identity() instanceof EntityKey key) {
      part(out, KEY, key.key());
    }
    part(out, KIND, type.kind().singular());
    part(out, NAME, type.name());
    return out.append('}').toString();
  }

  private static void part(StringBuilder out, String name, String value) {
    out.append(",\"")
        .append(name)
        .append("\":")
        .append(CanonicalJson.write(TextNode.valueOf(value)));
  }
}
