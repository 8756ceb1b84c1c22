// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.features.Txn;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Which past is meant: a transaction with all before it, or a time. */
sealed interface Moment {

  record At(Txn txn) implements Moment {}

  record When(Instant time) implements Moment {}

  /** Reads one from the command line. */
  final class Converter implements ITypeConverter<Moment> {

    @Override
    public Moment convert(String text) {
      try {
        return text.matches("[0-9]{1,19}")
            ? new At(new Txn(Long.parseLong(text)))
            : new When(OffsetDateTime.parse(text).toInstant());
      } catch (NumberFormatException | DateTimeException e) {
        throw new TypeConversionException(
            "'"
                + text
                + "' is neither a transaction such as 2026111600000000007 nor a time such as"
                + " 2026-11-16T12:00:00Z");
      }
    }
  }
}
