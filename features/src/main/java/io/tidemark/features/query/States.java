// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.Txn;
import java.time.Instant;

/** Which states of features are looked at. */
public sealed interface States {

  /** The features as they are. */
  record Current() implements States {}

  /** The same, and the last states of those that are deleted and not purged. */
  record WithDeleted() implements States {}

  /** All states that are kept, with those of deletions; each once. */
  record All() implements States {}

  /** The features as they were after a transaction. */
  record At(Txn version) implements States {}

  /** The features as all transactions left them that had begun by then. */
  record AtMoment(Instant moment) implements States {}
}
