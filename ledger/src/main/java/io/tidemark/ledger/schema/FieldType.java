// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Type of the values of a field. */
public sealed interface FieldType {

  /** Type of a single value. */
  enum Scalar implements FieldType {
    /** JSON text. */
    STRING,
    /** A JSON number without a fraction, from -2^63 to 2^63 - 1. */
    LONG,
    /** A JSON number, as near as a double of 64 bits comes; never NaN or infinite. */
    DOUBLE,
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** A JSON number, exact: up to 20 digits before the point and 18 behind it. */
    DECIMAL,
    /**
     * A moment as JSON text, to the microsecond and in UTC: {@code
     * 2026-02-10T12:34:56.789012+00:00}, or without a fraction when that is zero. The order of
     * these texts is the order of the moments.
     */
    INSTANT
  }

  /** A value or {@code null}. */
  record Nullable(FieldType type) implements FieldType {
    public Nullable {
      if (type instanceof Nullable) {
        throw new InvalidSchemaException("a value can't be optional twice; say it once");
      }
      if (type instanceof Foreign foreign && !foreign.equals(Foreign.any())) {
        throw new InvalidSchemaException(
            "the foreign type "
                + foreign.type()
                + " can't be made optional; it takes null already, and its words are kept");
      }
    }
  }

  /** A JSON array of values of one type. */
  record ListOf(FieldType item) implements FieldType {}

  /** A JSON object with any keys and values of one type. */
  record MapOf(FieldType value) implements FieldType {}

  /** A JSON object with these fields. */
  record RecordOf(String name, SortedMap<String, FieldType> fields) implements FieldType {
    public RecordOf {
      fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }
  }

  /**
   * Type that another program declared in a form that is unknown here: any JSON fits, and the
   * declaration is kept.
   */
  record Foreign(String type, JsonNode spec) implements FieldType {
    public Foreign {
      spec = spec.deepCopy();
    }

    /** Returns the type of any JSON, which other programs call {@code typing.Any}. */
    public static Foreign any() {
      ObjectNode spec = CanonicalJson.object();
      return new Foreign("typing.Any", spec.put("kind", "primitive").put("name", "any"));
    }
  }

  /** Returns the type itself, or of an optional type the type of its values other than null. */
  default FieldType notNull() {
    return this instanceof Nullable nullable ? nullable.type() : this;
  }
}
