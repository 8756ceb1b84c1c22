// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** Decision of an edit about a whole record. */
public sealed interface EditDecision {

  /** Returns the decision to keep the record as it is. */
  static EditDecision keep() {
    return Keep.KEEP;
  }

  /** Returns the decision to replace the record; an equal one is kept as it is. */
  static EditDecision replace(NameRecord seen, NameRecord next) {
    return next.equals(seen) ? Keep.KEEP : new Replace(next);
  }

  /** Returns the decision to remove the record without a trace. */
  static EditDecision remove() {
    return Remove.REMOVE;
  }

  /** See {@link #keep}. */
  enum Keep implements EditDecision {
    KEEP
  }

  /**
   * See {@link #replace}.
   *
   * @param next the next record, at the same address
   */
  record Replace(NameRecord next) implements EditDecision {}

  /** See {@link #remove}. */
  enum Remove implements EditDecision {
    REMOVE
  }
}
