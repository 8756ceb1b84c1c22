// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.RecordShape.Component;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.objects.internal.json.CanonicalJsonBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of records as canonical JSON straight from their components. A tree of JSON in between
 * would take several times as long. Values of unusual kinds are encoded by way of the tree, one by
 * one, which also reports their errors.
 */
final class RecordEncoder {

  /** Writer for values of a usual kind; returns false for any other value. */
  private interface FastPath {
    boolean write(Record value, CanonicalJsonBuffer out);
  }

  /** Field of the payload. */
  private static final class Column {
    private final Component component;

    /** Bytes before its value. */
    private final byte[] opening;

    private final FastPath fastPath;

    Column(Component component, int index) {
      this.component = component;
      this.opening = ((index == 0 ? "{\"" : ",\"") + component.name() + "\":").getBytes(US_ASCII);
      this.fastPath = usual(component);
    }

    private static FastPath usual(Component component) {
      Class<?> type = component.component().getType();
      FieldType field = component.conversion().type();
      if (field == Scalar.LONG && type == long.class) {
        ToLongFunction<Record> get = ComponentReader.wholes(component);
        return (value, out) -> {
          out.addLong(get.applyAsLong(value));
          return true;
        };
      }
      if (field == Scalar.LONG && type == int.class) {
        ToIntFunction<Record> get = ComponentReader.smallWholes(component);
        return (value, out) -> {
          out.addLong(get.applyAsInt(value));
          return true;
        };
      }
      if (field == Scalar.DOUBLE && type == double.class) {
        ToDoubleFunction<Record> get = ComponentReader.reals(component);
        return (value, out) -> writeReal(get.applyAsDouble(value), out);
      }
      if (field == Scalar.BOOLEAN && type == boolean.class) {
        Predicate<Record> get = ComponentReader.flags(component);
        return (value, out) -> {
          out.addBoolean(get.test(value));
          return true;
        };
      }
      Function<Record, @Nullable Object> get = ComponentReader.objects(component);
      Scalar scalar = field.notNull() instanceof Scalar known ? known : null;
      boolean optional = field instanceof FieldType.Nullable;
      return (value, out) -> writeObject(scalar, optional, get.apply(value), out);
    }
  }

  private static final byte[] CLOSING = "}".getBytes(US_ASCII);
  private static final byte[] EMPTY = "{}".getBytes(US_ASCII);

  private final Column[] columns;
  private final List<Function<Record, @Nullable Object>> keys;

  RecordEncoder(RecordShape shape) {
    List<Component> payload =
        shape.slots().stream()
            .filter(s -> !s.is(Left.class) && !s.is(Right.class) && !s.is(InstanceKey.class))
            .sorted(Comparator.comparing(Component::name))
            .toList();
    this.columns = new Column[payload.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new Column(payload.get(i), i);
    }
    this.keys =
        shape.slots().stream().filter(s -> s.is(Key.class)).map(ComponentReader::objects).toList();
  }

  /** Encodes the fact that an entity asserts; returns false when the entity needs the slow path. */
  boolean entity(Record value, ValueCheck check, FactBytes out) {
    Object key = keys.get(0).apply(value);
    String text =
        key instanceof String given ? given : key instanceof Long number ? number.toString() : "";
    if (text.isBlank() || !CanonicalJson.isPlain(text)) {
      return false;
    }
    CanonicalJsonBuffer payload = out.start(check.schema().id());
    out.part(text);
    write(value, payload, check, () -> new EntityKey(text));
    return true;
  }

  /**
   * Encodes the fact that a relation of these ends asserts.
   *
   * @throws InvalidValueException when its values don't fit
   */
  void relation(Record value, RelationKey key, ValueCheck check, FactBytes out) {
    check.require(key);
    CanonicalJsonBuffer payload = out.start(check.schema().id());
    out.part(key.left());
    out.part(key.right());
    out.part(key.instance());
    write(value, payload, check, () -> key);
  }

  private void write(
      Record value, CanonicalJsonBuffer out, ValueCheck check, Supplier<Identity> identity) {
    for (Column column : columns) {
      out.add(column.opening);
      if (!column.fastPath.write(value, out)) {
        Component component = column.component;
        ValuePath valuePath =
            ValuePath.row(check.schema().id(), identity.get()).field(component.name());
        JsonNode json = component.of(value);
        out.addValue(
            CanonicalJson.write(
                ValueNormalizer.normalize(component.conversion().type(), json, valuePath)));
      }
    }
    out.add(columns.length == 0 ? EMPTY : CLOSING);
    check.requireShort(out.length(), identity);
  }

  private static boolean writeReal(double value, CanonicalJsonBuffer out) {
    if (Double.isFinite(value)) {
      out.addDouble(value);
      return true;
    }
    return false;
  }

  private static boolean writeObject(
      @Nullable Scalar type, boolean optional, @Nullable Object value, CanonicalJsonBuffer out) {
    if (type == Scalar.STRING && value instanceof String text) {
      return out.addString(text);
    }
    if (value == null && optional) {
      out.addNull();
      return true;
    }
    if (type == Scalar.LONG && (value instanceof Long || value instanceof Integer)) {
      out.addLong(((Number) value).longValue());
      return true;
    }
    if (type == Scalar.DOUBLE && value instanceof Double number) {
      return writeReal(number, out);
    }
    if (type == Scalar.BOOLEAN && value instanceof Boolean flag) {
      out.addBoolean(flag);
      return true;
    }
    return false;
  }
}
