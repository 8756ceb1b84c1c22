// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.FieldType;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.random.RandomGenerator;

/** Values from small pools, so that they are often equal, and odd ones among them. */
final class RandomValues {

  static final String[] TEXTS = {
    "",
    "a",
    "A",
    "ab",
    "b",
    "\u00e9",
    "\ud83d\ude00",
    "\uffee",
    "'",
    "\"",
    "%",
    "_",
    "10",
    "true",
    "null",
    "a\0b",
    "\\",
    "a'b"
  };
  static final String[] INSTANTS = {
    "2026-02-10T12:34:56+00:00",
    "2026-02-10T12:34:56.000001+00:00",
    "2026-02-10T12:34:56.789012+00:00",
    "0001-01-01T00:00:00+00:00",
    "9999-12-31T23:59:59.999999+00:00"
  };
  static final String[] WHOLES = {
    "0",
    "1",
    "-1",
    "2",
    "10",
    "9007199254740993",
    "9007199254740992",
    "9223372036854775807",
    "-9223372036854775808"
  };
  static final String[] REALS = {"0.0", "-0.0", "0.1", "1.0", "1.5", "-2.25", "10.0", "1e-320"};
  static final String[] DECIMALS = {
    "0",
    "1",
    "1.5",
    "0.1",
    "0.000000000000000001",
    "-2.25",
    "99999999999999999999.5",
    "12345678901234567890.123456789012345678"
  };
  static final String[] ODD_NUMBERS = {
    "18446744073709551615", "18446744073709551616", "123456789012345678901234567890", "1e2", "0.3"
  };

  private final RandomGenerator random;
  private final JsonNodeFactory json = JsonNodeFactory.instance;

  RandomValues(RandomGenerator random) {
    this.random = random;
  }

  String pick(String... pool) {
    return pool[random.nextInt(pool.length)];
  }

  JsonNode of(FieldType type) {
    if (type instanceof Nullable nullable) {
      return random.nextInt(3) == 0 ? json.nullNode() : of(nullable.type());
    }
    if (type instanceof Scalar scalar) {
      return scalar(scalar);
    }
    if (type instanceof ListOf list) {
      ArrayNode items = json.arrayNode();
      for (int i = random.nextInt(3); i > 0; i--) {
        items.add(of(list.item()));
      }
      return items;
    }
    if (type instanceof RecordOf nested) {
      ObjectNode object = json.objectNode();
      nested.fields().forEach((name, inner) -> object.set(name, of(inner)));
      return object;
    }
    return type instanceof MapOf map ? map(map) : any(2);
  }

  private JsonNode map(MapOf type) {
    ObjectNode object = json.objectNode();
    for (String key : new String[] {"a", "b"}) {
      if (random.nextBoolean()) {
        object.set(key, of(type.value()));
      }
    }
    return object;
  }

  private JsonNode scalar(Scalar scalar) {
    return switch (scalar) {
      case STRING -> json.textNode(pick(TEXTS));
      case INSTANT -> json.textNode(pick(INSTANTS));
      case BOOLEAN -> json.booleanNode(random.nextBoolean());
      case LONG -> json.numberNode(Long.parseLong(pick(WHOLES)));
      case DOUBLE -> json.numberNode(Double.parseDouble(pick(REALS)));
      case DECIMAL -> json.numberNode(new BigDecimal(pick(DECIMALS)));
    };
  }

  private JsonNode any(int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 6)) {
      case 0 -> json.nullNode();
      case 1 -> scalar(Scalar.BOOLEAN);
      case 2 -> scalar(Scalar.LONG);
      case 3 -> scalar(Scalar.DOUBLE);
      case 4 -> scalar(Scalar.STRING);
      case 5 -> odd(pick(ODD_NUMBERS));
      case 6 -> json.arrayNode().add(any(depth - 1)).add(any(depth - 1));
      default -> {
        ObjectNode object = json.objectNode();
        object.set("a", any(depth - 1));
        object.set("k", any(depth - 1));
        yield object;
      }
    };
  }

  private JsonNode odd(String number) {
    return number.matches("[0-9]+")
        ? json.numberNode(new BigInteger(number))
        : json.numberNode(new BigDecimal(number));
  }
}
