// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import io.tidemark.features.bulk.output.ExportOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.States;
import io.tidemark.features.read.Reading;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.regex.Pattern;

/** Which past is meant: a transaction with all before it, or a time. */
public sealed interface Past {

  /** Those digits are the number of a transaction. */
  Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

  record At(Txn txn) implements Past {}

  record When(Instant time) implements Past {}

  /** Reads {@code 2026111600000000007} or {@code 2026-11-16T12:00:00Z}. */
  static Past parse(String text) {
    try {
      return NUMBER.matcher(text).matches()
          ? new At(new Txn(Long.parseLong(text)))
          : new When(OffsetDateTime.parse(text).toInstant());
    } catch (NumberFormatException | DateTimeException e) {
      throw new InvalidRequestException(
          "'%s' is neither a transaction such as 2026111600000000007 nor a time with its zone"
                  .formatted(text)
              + " such as 2026-11-16T12:00:00Z",
          e);
    }
  }

  /** Those of the features that were there then. */
  default List<Feature> byIds(Reading reading, String collection, List<String> ids) {
    return this instanceof At at
        ? reading.byIdsAt(collection, ids, at.txn())
        : reading.byIdsAt(collection, ids, ((When) this).time());
  }

  /** For a query. */
  default States states() {
    return this instanceof At at
        ? new States.At(at.txn())
        : new States.AtMoment(((When) this).time());
  }

  /** For an export. */
  default ExportOptions.At export() {
    return this instanceof At at
        ? new ExportOptions.At.Version(at.txn())
        : new ExportOptions.At.Moment(((When) this).time());
  }
}
