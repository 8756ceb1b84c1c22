// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

/** Truth value of a filter for a row. */
public enum Truth {
  FALSE,
  UNKNOWN,
  TRUE;

  static Truth of(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** Returns the lesser of both. */
  Truth and(Truth other) {
    return compareTo(other) < 0 ? this : other;
  }

  /** Returns the greater of both. */
  Truth or(Truth other) {
    return compareTo(other) > 0 ? this : other;
  }

  Truth not() {
    return switch (this) {
      case TRUE -> FALSE;
      case FALSE -> TRUE;
      case UNKNOWN -> UNKNOWN;
    };
  }
}
