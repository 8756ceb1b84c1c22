// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** Decision of an edit about a whole record. */
public sealed interface EditDecision {

  /** It stays as it is. */
  static EditDecision keep() {
    return Keep.KEEP;
  }

  /** It becomes another; the same says that it stays. */
  static EditDecision replace(NameRecord seen, NameRecord next) {
    return next.equals(seen) ? Keep.KEEP : new Replace(next);
  }

  /** It goes without a trace. */
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
   * @param next what it is to be, at the same address
   */
  record Replace(NameRecord next) implements EditDecision {}

  /** See {@link #remove}. */
  enum Remove implements EditDecision {
    REMOVE
  }
}
