// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import io.tidemark.features.bulk.output.CollectionExportOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.StateSelection;
import io.tidemark.features.read.ReadTransaction;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.regex.Pattern;

/** Point in the past: a transaction with all before it, or a time. */
public sealed interface PointInTime {

  /** Those digits are the number of a transaction. */
  Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

  record At(Txn txn) implements PointInTime {}

  record When(Instant time) implements PointInTime {}

  /** Reads {@code 2026111600000000007} or {@code 2026-11-16T12:00:00Z}. */
  static PointInTime parse(String text) {
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

  /** Returns the features that existed then. */
  default List<Feature> byIds(
      ReadTransaction readTransaction, String collection, List<String> ids) {
    return this instanceof At at
        ? readTransaction.byIdsAt(collection, ids, at.txn())
        : readTransaction.byIdsAt(collection, ids, ((When) this).time());
  }

  /** Returns the selection for a query. */
  default StateSelection states() {
    return this instanceof At at
        ? new StateSelection.At(at.txn())
        : new StateSelection.AtMoment(((When) this).time());
  }

  /** Returns the selection for an export. */
  default CollectionExportOptions.At export() {
    return this instanceof At at
        ? new CollectionExportOptions.At.Version(at.txn())
        : new CollectionExportOptions.At.Moment(((When) this).time());
  }
}
