// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import java.util.List;

/** What each commit holds. */
record CommitContent(int rows, Kind kind) {

  /** Of whom the rows are. */
  enum Kind {
    /** Customers that weren't there. */
    NEW,
    /** The same customers each time, in another state. */
    UPDATED
  }

  static final List<CommitContent> ALL =
      List.of(
          new CommitContent(1, Kind.NEW),
          new CommitContent(50, Kind.NEW),
          new CommitContent(50, Kind.UPDATED),
          new CommitContent(1_000, Kind.NEW));

  /** Commits of the size that is usual. */
  boolean isSmall() {
    return rows <= 50;
  }

  List<Customer> batch(long commit) {
    return kind == Kind.NEW
        ? Customer.batch(commit * rows, rows, 0)
        : Customer.batch(0, rows, commit);
  }

  @Override
  public String toString() {
    return "%,d %s %s"
        .formatted(rows, kind == Kind.NEW ? "new" : "changed", rows == 1 ? "row" : "rows");
  }
}
