// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.objects.UtcTimestamp;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Converter of a query's moments to the form in which they are stored. */
final class InstantLiterals {

  private InstantLiterals() {}

  static Literal normalize(Operand operand, Literal value) {
    if (!(value instanceof Literal.Text text)) {
      return value;
    }
    try {
      OffsetDateTime moment = OffsetDateTime.parse(text.value());
      return new Literal.Text(UtcTimestamp.format(moment.toInstant()));
    } catch (DateTimeParseException e) {
      throw new InvalidQueryException(
          operand
              + " is an instant and "
              + value
              + " is none; give one such as \"2026-02-10T12:34:56Z\", or use startswith");
    }
  }
}
