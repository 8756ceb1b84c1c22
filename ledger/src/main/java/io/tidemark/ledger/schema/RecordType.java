// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.RecordShape.Component;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.List;

/**
 * Type that is declared by a Java record:
 *
 * <pre>{@code
 * @Entity
 * record Customer(@Key String id, String name, @Nullable String email) {}
 *
 * @Relation(left = Customer.class, right = Product.class)
 * record Subscription(@Left String customer, @Right String product, int seats) {}
 * }</pre>
 *
 * <p>A component is a field of its name, or of the one that {@link Named} gives. It is optional if
 * it is {@code @Nullable} (of JSpecify) or an {@code Optional}.
 */
public final class RecordType<T extends Record> {

  private static final ClassValue<RecordType<?>> KNOWN =
      new ClassValue<>() {
        @Override
        protected RecordType<?> computeValue(Class<?> type) {
          return new RecordType<>(type.asSubclass(Record.class));
        }
      };

  private final Class<T> type;
  private final RecordShape shape;
  private final RecordEncoder text;
  private final ValueCheck check;

  private RecordType(Class<T> type) {
    this.type = type;
    this.shape = RecordShape.of(type, List.of());
    this.text = new RecordEncoder(shape);
    this.check = ValueCheck.of(RecordSchema.of(type, shape.slots()));
  }

  /**
   * Returns the type that a record declares.
   *
   * @throws InvalidSchemaException when the record breaks the rules of types
   */
  @SuppressWarnings("unchecked") // each class is the key of its own type
  public static <T extends Record> RecordType<T> of(Class<T> type) {
    return (RecordType<T>) KNOWN.get(type);
  }

  /**
   * Returns the fact that a record of any declared type asserts.
   *
   * @throws InvalidValueException when the value isn't a record, or its values don't fit
   * @throws InvalidSchemaException when the record declares no type
   */
  public static Fact factOf(Object value) {
    if (value instanceof Record fact) {
      return of(fact.getClass()).fact(fact);
    }
    throw new InvalidValueException(
        ValueNormalizer.article(value.getClass().getSimpleName())
            + " can't be asserted: "
            + ValuePreview.preview(String.valueOf(value))
            + "; give a record that is an @Entity or a @Relation");
  }

  /** Returns the schema of the type. */
  public TypeSchema schema() {
    return check.schema();
  }

  /**
   * Returns the fact that a record asserts.
   *
   * @throws InvalidValueException when its values don't fit, such as NaN or a key that is blank
   */
  public Fact fact(Record value) {
    return fact(value, check);
  }

  /**
   * Returns the fact that a record asserts, under a check of the same type with its own limits.
   *
   * @throws InvalidValueException when its values don't fit
   */
  public Fact fact(Record value, ValueCheck held) {
    FactBytes bytes = new FactBytes();
    return write(value, held, bytes) ? bytes.fact() : held.entity(shape.write(value));
  }

  /**
   * Encodes the fact that a record asserts as bytes.
   *
   * @return false when the record needs {@link #fact}
   * @throws InvalidValueException when its values don't fit
   */
  public boolean write(Record value, ValueCheck held, FactBytes out) {
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(value.getClass() + " isn't " + type);
    }
    if (schema().id().kind() == TypeKind.RELATION) {
      text.relation(value, ends(value), held, out);
      return true;
    }
    return text.entity(value, held, out);
  }

  private RelationKey ends(Record value) {
    String left = "";
    String right = "";
    String instance = "";
    for (Component component : shape.slots()) {
      if (component.is(Left.class)) {
        left = key(component.of(value));
      } else if (component.is(Right.class)) {
        right = key(component.of(value));
      } else if (component.is(InstanceKey.class)) {
        instance = key(component.of(value));
      }
    }
    return new RelationKey(left, right, instance);
  }

  private static String key(JsonNode json) {
    return json.isNull() ? "" : json.asText();
  }

  /**
   * Returns the record of a stored row.
   *
   * @throws InvalidValueException when the row doesn't fit, because it was written under another
   *     version of the type or the record refuses it
   */
  public T value(Identity identity, String fieldsJson) {
    try {
      JsonNode fields = CanonicalJson.parse(fieldsJson);
      return type.cast(shape.read(component -> stored(component, identity, fields)));
    } catch (IOException | RuntimeException e) {
      throw ValuePath.row(schema().id(), identity)
          .error(
              "the row can't be read as "
                  + type.getSimpleName()
                  + " ("
                  + e.getMessage()
                  + "); see whether it was written under another version of the type");
    }
  }

  private static JsonNode stored(Component component, Identity identity, JsonNode fields) {
    if (identity instanceof RelationKey key) {
      if (component.is(Left.class)) {
        return end(component, key.left());
      }
      if (component.is(Right.class)) {
        return end(component, key.right());
      }
      if (component.is(InstanceKey.class)) {
        return TextNode.valueOf(key.instance());
      }
    }
    return fields.path(component.name());
  }

  private static JsonNode end(Component component, String key) {
    return component.conversion().type() == FieldType.Scalar.LONG
        ? CanonicalJson.object().numberNode(Long.parseLong(key))
        : TextNode.valueOf(key);
  }
}
