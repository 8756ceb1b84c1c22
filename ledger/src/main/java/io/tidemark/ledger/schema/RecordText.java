// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.Fact;
import io.tidemark.ledger.Identity;
import io.tidemark.ledger.Identity.EntityKey;
import io.tidemark.ledger.Identity.RelationKey;
import io.tidemark.ledger.json.CanonicalJson;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.RecordShape.Slot;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the canonical JSON of records straight from their components, without a tree of JSON in
 * between, which would take several times as long. Values that aren't of the usual kinds go the way
 * of the tree, one by one, and what is wrong with them is said there.
 */
final class RecordText {

  /**
   * A field of the payload.
   *
   * @param opening what comes before its value
   * @param scalar null when it is made of parts
   */
  private record Column(Slot slot, String opening, @Nullable Scalar scalar, boolean optional) {

    static Column of(Slot slot, int index) {
      FieldType type = slot.conversion().type();
      return new Column(
          slot,
          (index == 0 ? "{\"" : ",\"") + slot.name() + "\":",
          type.notNull() instanceof Scalar scalar ? scalar : null,
          type instanceof FieldType.Nullable);
    }
  }

  private final Column[] columns;
  private final List<Slot> keys;

  RecordText(RecordShape shape) {
    List<Slot> payload =
        shape.slots().stream()
            .filter(s -> !s.is(Left.class) && !s.is(Right.class) && !s.is(InstanceKey.class))
            .sorted(Comparator.comparing(Slot::name))
            .toList();
    this.columns = new Column[payload.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Column.of(payload.get(i), i);
    }
    this.keys = shape.slots().stream().filter(s -> s.is(Key.class)).toList();
  }

  /** The fact that an entity asserts; empty when it takes a closer look. */
  Optional<Fact> entity(Record value, ValueCheck check) {
    Object key = keys.get(0).value(value);
    String text =
        key instanceof String given ? given : key instanceof Long number ? number.toString() : "";
    if (text.isBlank() || !CanonicalJson.isPlain(text)) {
      return Optional.empty();
    }
    return Optional.of(fact(value, new EntityKey(text), check));
  }

  /**
   * The fact that a relation of these ends asserts.
   *
   * @throws InvalidValueException when its values don't fit
   */
  Fact relation(Record value, RelationKey key, ValueCheck check) {
    check.require(key);
    return fact(value, key, check);
  }

  private Fact fact(Record value, Identity identity, ValueCheck check) {
    StringBuilder out = new StringBuilder(160);
    for (Column column : columns) {
      out.append(column.opening());
      Object part = column.slot().value(value);
      if (part == null && column.optional()) {
        out.append("null");
      } else if (!write(column.scalar(), part, out)) {
        Slot slot = column.slot();
        Place place = Place.row(check.schema().id(), identity).field(slot.name());
        JsonNode json = slot.conversion().write(part);
        CanonicalJson.write(Values.normal(slot.conversion().type(), json, place), out);
      }
    }
    if (columns.length == 0) {
      out.append('{');
    }
    return check.fact(identity, out.append('}').toString());
  }

  /** Whether the value is one of the usual ones, and was written. */
  private static boolean write(@Nullable Scalar type, @Nullable Object value, StringBuilder out) {
    if (type == Scalar.STRING && value instanceof String text && CanonicalJson.isPlain(text)) {
      out.append('"').append(text).append('"');
      return true;
    }
    if (type == Scalar.LONG && (value instanceof Long || value instanceof Integer)) {
      out.append(((Number) value).longValue());
      return true;
    }
    if (type == Scalar.DOUBLE && value instanceof Double number && Double.isFinite(number)) {
      CanonicalJson.write(number, out);
      return true;
    }
    if (type == Scalar.BOOLEAN && value instanceof Boolean flag) {
      out.append(flag.booleanValue());
      return true;
    }
    return false;
  }
}
