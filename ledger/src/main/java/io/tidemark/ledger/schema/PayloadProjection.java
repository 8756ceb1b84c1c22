// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Projection of payloads of one version of a type to the fields of another. A field that the first
 * version lacks is null, and one that the second lacks is left out. A value whose field has another
 * type is kept if it converts to that type without loss, else it is null.
 */
public final class PayloadProjection {

  private final TypeSchema from;
  private final TypeSchema to;
  private final SortedMap<String, String> sources;

  private PayloadProjection(TypeSchema from, TypeSchema to, Map<String, String> sources) {
    this.from = from;
    this.to = to;
    this.sources = new TreeMap<>(sources);
  }

  /**
   * Creates a projection.
   *
   * @param sources for each field of the second version the name that it has in the first; a field
   *     that is in the second one only is left out
   */
  public static PayloadProjection between(
      TypeSchema from, TypeSchema to, Map<String, String> sources) {
    return new PayloadProjection(from, to, sources);
  }

  /** Returns whether every payload stays as it is. */
  public boolean isIdentity() {
    return from.payload().keySet().equals(to.payload().keySet())
        && to.payload().entrySet().stream()
            .allMatch(
                field ->
                    field.getKey().equals(sources.get(field.getKey()))
                        && keepsType(field.getKey(), field.getValue().type()));
  }

  /** Returns the fields that have another type in the first version. */
  public SortedSet<String> converted() {
    SortedSet<String> converted = new TreeSet<>();
    to.payload()
        .forEach(
            (name, field) -> {
              String source = sources.get(name);
              if (source != null
                  && from.payload().containsKey(source)
                  && !keepsType(source, field.type())) {
                converted.add(name);
              }
            });
    return converted;
  }

  private boolean keepsType(String source, FieldType type) {
    Field field = from.payload().get(source);
    return field != null && field.type().notNull().equals(type.notNull());
  }

  /** Returns a payload in the other fields; text that is no JSON object is returned as it is. */
  public String apply(String fieldsJson) {
    try {
      return CanonicalJson.parse(fieldsJson) instanceof ObjectNode fields
          ? CanonicalJson.write(apply(fields))
          : fieldsJson;
    } catch (IOException e) {
      return fieldsJson; // the reader of the row reports it, with its location
    }
  }

  private ObjectNode apply(ObjectNode fields) {
    ObjectNode shown = CanonicalJson.object();
    to.payload()
        .forEach(
            (name, field) -> {
              String source = sources.get(name);
              JsonNode value = source == null ? null : fields.get(source);
              if (source == null || value == null) {
                shown.putNull(name);
              } else {
                shown.set(
                    name,
                    keepsType(source, field.type())
                        ? value
                        : fitted(field.type(), value, ValuePath.row(to.id(), null).field(name)));
              }
            });
    return shown;
  }

  private static JsonNode fitted(FieldType wanted, JsonNode value, ValuePath valuePath) {
    FieldType type = wanted.notNull();
    if (type instanceof FieldType.Foreign) {
      return value;
    }
    if (type instanceof ListOf list && value.isArray()) {
      ArrayNode items = CanonicalJson.object().arrayNode(value.size());
      value.forEach(item -> items.add(fitted(list.item(), item, valuePath)));
      return items;
    }
    if (value.isObject() && (type instanceof MapOf || type instanceof RecordOf)) {
      return members(type, value, valuePath);
    }
    return type instanceof Scalar scalar
        ? scalar(scalar, value, valuePath).orElse(NullNode.getInstance())
        : NullNode.getInstance();
  }

  private static ObjectNode members(FieldType type, JsonNode value, ValuePath valuePath) {
    ObjectNode members = CanonicalJson.object();
    if (type instanceof MapOf map) {
      value
          .properties()
          .forEach(
              each -> members.set(each.getKey(), fitted(map.value(), each.getValue(), valuePath)));
    } else if (type instanceof RecordOf nested) {
      nested
          .fields()
          .forEach(
              (name, field) -> {
                JsonNode member = value.get(name);
                members.set(
                    name,
                    member == null ? NullNode.getInstance() : fitted(field, member, valuePath));
              });
    }
    return members;
  }

  /** Returns the value as one of a type, or empty if the conversion would lose something. */
  private static Optional<JsonNode> scalar(Scalar type, JsonNode value, ValuePath valuePath) {
    boolean number = type == Scalar.LONG || type == Scalar.DOUBLE || type == Scalar.DECIMAL;
    if (number && !value.isNumber()) {
      return Optional.empty(); // a decimal may be given as text, but text isn't one
    }
    try {
      JsonNode normal = ScalarNormalizer.normalize(type, value, valuePath);
      return Optional.of(normal)
          .filter(same -> !number || exact(same).compareTo(exact(value)) == 0)
          .filter(same -> type != Scalar.INSTANT || moment(same).equals(moment(value)));
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the moment of a text. Stored moments are cut to the microsecond; text may have more
   * digits.
   */
  private static Instant moment(JsonNode text) {
    return OffsetDateTime.parse(text.textValue()).toInstant();
  }

  private static BigDecimal exact(JsonNode number) {
    return number.isDouble() ? BigDecimal.valueOf(number.doubleValue()) : number.decimalValue();
  }

  /** Returns text that identifies this projection, and is the same in all processes. */
  @Override
  public String toString() {
    return StoredSchema.of(from).json() + " to " + StoredSchema.of(to).json() + " by " + sources;
  }
}
