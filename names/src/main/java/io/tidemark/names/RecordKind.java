// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** Kind of thing that a record stands for. */
public enum RecordKind {
  /** Anything with commits: an object ledger, a feature collection. */
  LEDGER("ledger"),
  /** Something that follows a ledger or maps other data: an index, a table, a database. */
  GRAPH_SOURCE("graph_source");

  private final String word;

  RecordKind(String word) {
    this.word = word;
  }

  /** Returns the name that users and programs use. */
  public String text() {
    return word;
  }
}
