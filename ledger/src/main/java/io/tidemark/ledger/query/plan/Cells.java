// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.ledger.query.plan.Cell.Nothing;
import io.tidemark.ledger.query.plan.Cell.Other;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.Decimals;
import io.tidemark.objects.UtcTimestamp;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Values of payloads as cells, and back. */
public final class Cells {

  private static final BigInteger WHOLE_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger WHOLE_MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
  private static final int DECIMAL_SCALE = 18;
  private static final int DECIMAL_DIGITS_BEFORE_POINT = 20;
  private static final int SHORT_INSTANT = 25;
  private static final int LONG_INSTANT = 32;

  private Cells() {}

  /** What a path leads to; missing when it leads nowhere. */
  public static JsonNode at(JsonNode payload, List<String> path) {
    JsonNode node = payload;
    for (String segment : path) {
      node = node.isObject() ? node.path(segment) : JsonNodeFactory.instance.missingNode();
    }
    return node;
  }

  /** A value of a field that has a column of its own. */
  public static Cell typed(Scalar scalar, JsonNode value) {
    if (isNothing(value)) {
      return Nothing.NOTHING;
    }
    return switch (scalar) {
      case STRING -> value.isTextual() ? new Cell.Text(value.textValue()) : Other.OTHER;
      case BOOLEAN -> value.isBoolean() ? new Cell.Bool(value.booleanValue()) : Other.OTHER;
      case INSTANT -> instant(value);
      case DOUBLE ->
          value.isNumber() && Double.isFinite(value.doubleValue())
              ? new Cell.Real(value.doubleValue())
              : Other.OTHER;
      case LONG -> exact(value, 0, 19);
      case DECIMAL -> exact(value, DECIMAL_SCALE, DECIMAL_DIGITS_BEFORE_POINT);
    };
  }

  private static Cell exact(JsonNode value, int scale, int before) {
    if (!value.isNumber()) {
      return Other.OTHER;
    }
    BigDecimal number = Decimals.stripped(value.decimalValue());
    boolean fits = number.scale() <= scale && (long) number.precision() - number.scale() <= before;
    if (!fits || (scale == 0 && number.toBigInteger().bitLength() > 63)) {
      return Other.OTHER;
    }
    return new Cell.Exact(number);
  }

  private static Cell instant(JsonNode value) {
    String text = value.isTextual() ? value.textValue() : "";
    boolean formed =
        (text.length() == SHORT_INSTANT || text.length() == LONG_INSTANT)
            && text.endsWith("+00:00");
    if (!formed) {
      return Other.OTHER;
    }
    return UtcTimestamp.parse(text)
        .<Cell>map(moment -> new Cell.Text(UtcTimestamp.format(moment)))
        .orElse(Other.OTHER);
  }

  /** A value of which only the payload knows the kind. */
  public static Cell untyped(JsonNode value) {
    if (isNothing(value)) {
      return Nothing.NOTHING;
    }
    if (value.isTextual()) {
      return new Cell.Text(value.textValue());
    }
    if (value.isBoolean()) {
      return new Cell.Bool(value.booleanValue());
    }
    if (!value.isNumber()) {
      return Other.OTHER;
    }
    if (value.isIntegralNumber()) {
      BigInteger whole = value.bigIntegerValue();
      if (whole.compareTo(WHOLE_MIN) >= 0 && whole.compareTo(WHOLE_MAX) <= 0) {
        return new Cell.Exact(new BigDecimal(whole));
      }
    }
    return new Cell.Real(value.doubleValue());
  }

  private static boolean isNothing(JsonNode value) {
    return value.isNull() || value.isMissingNode();
  }

  /** The value as JSON; null for what has no place in an order. */
  public static JsonNode json(Cell cell) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    if (cell instanceof Cell.Bool bool) {
      return json.booleanNode(bool.value());
    }
    if (cell instanceof Cell.Text text) {
      return json.textNode(text.value());
    }
    if (cell instanceof Cell.Exact exact) {
      return exact.value().scale() <= 0 && exact.value().scale() > -100
          ? json.numberNode(exact.value().toBigInteger())
          : json.numberNode(exact.value());
    }
    return cell instanceof Cell.Real real ? json.numberNode(real.value()) : json.nullNode();
  }
}
