// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.ledger.internal.parquet.TypedColumns;
import io.tidemark.ledger.internal.plan.Cell.Nothing;
import io.tidemark.ledger.internal.plan.Cell.Other;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.UtcTimestamp;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** Converter of values of payloads to cells, and back. */
public final class CellConverter {

  private static final BigInteger WHOLE_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger WHOLE_MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

  private CellConverter() {}

  /** Returns the value that a path leads to; missing when it leads nowhere. */
  public static JsonNode at(JsonNode payload, List<String> path) {
    JsonNode node = payload;
    for (String segment : path) {
      node = node.isObject() ? node.path(segment) : JsonNodeFactory.instance.missingNode();
    }
    return node;
  }

  /** Returns the cell of a value whose field has a column of its own. */
  public static Cell typed(Scalar scalar, JsonNode value) {
    if (isNothing(value)) {
      return Nothing.NOTHING;
    }
    return switch (scalar) {
      case STRING -> value.isTextual() ? new Cell.Text(value.textValue()) : Other.OTHER;
      case BOOLEAN -> value.isBoolean() ? new Cell.Bool(value.booleanValue()) : Other.OTHER;
      case INSTANT ->
          TypedColumns.instant(value.asText())
              .filter(moment -> value.isTextual())
              .<Cell>map(moment -> new Cell.Text(UtcTimestamp.format(moment)))
              .orElse(Other.OTHER);
      case DOUBLE ->
          value.isNumber() && Double.isFinite(value.doubleValue())
              ? new Cell.Real(value.doubleValue())
              : Other.OTHER;
      case LONG, DECIMAL ->
          Optional.of(value)
              .filter(JsonNode::isNumber)
              .flatMap(number -> TypedColumns.exact(number.decimalValue(), scalar))
              .<Cell>map(Cell.Exact::new)
              .orElse(Other.OTHER);
    };
  }

  /** Returns the cell of a value of which only the payload knows the kind. */
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

  /** Returns the value as JSON; null for what has no place in an order. */
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
