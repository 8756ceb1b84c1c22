// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** What is to become of a record as a whole. */
public sealed interface Edit {

  /** It stays as it is. */
  static Edit keep() {
    return Keep.KEEP;
  }

  /** It becomes another; the same says that it stays. */
  static Edit replace(NameRecord seen, NameRecord next) {
    return next.equals(seen) ? Keep.KEEP : new Replace(next);
  }

  /** It goes without a trace. */
  static Edit remove() {
    return Remove.REMOVE;
  }

  /** See {@link #keep}. */
  enum Keep implements Edit {
    KEEP
  }

  /**
   * See {@link #replace}.
   *
   * @param next what it is to be, at the same address
   */
  record Replace(NameRecord next) implements Edit {}

  /** See {@link #remove}. */
  enum Remove implements Edit {
    REMOVE
  }
}
