// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import java.time.Instant;

/** Selection of the states that a query reads. */
public sealed interface StateSelection {

  /** Returns whether the selection is of a past version. */
  default boolean isPast() {
    return this instanceof At || this instanceof AtMoment;
  }

  /** The current states. */
  record Current() implements StateSelection {}

  /** The current states, and the last states of features that are deleted and not purged. */
  record WithDeleted() implements StateSelection {}

  /** All states that are kept, with those of deletions; each once. */
  record All() implements StateSelection {}

  /** The states after a transaction. */
  record At(Txn version) implements StateSelection {}

  /** The states after all transactions that had begun by a moment. */
  record AtMoment(Instant moment) implements StateSelection {
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9223-01-01T00:00:00Z");

    public AtMoment {
      if (moment.isBefore(FIRST) || moment.isAfter(LAST)) {
        throw new InvalidRequestException(
            "no transaction was or will be at %s; give a moment from %s to %s"
                .formatted(moment, FIRST, LAST));
      }
    }
  }
}
