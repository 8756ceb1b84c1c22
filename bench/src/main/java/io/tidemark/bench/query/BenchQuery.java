// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

/** What is asked. Everybody's answer is a number, by which it is seen that all mean the same. */
enum BenchQuery {
  /** The rows of the current state, in the order of keys, as JSON: how many visits they have. */
  LATEST("latest, rows"),
  /** The same of the state after half of the commits. */
  AS_OF("as of half of the commits, rows"),
  /** How many visits one customer has. */
  POINT("look-up by key"),
  /** How many customers are active and live in Porto. */
  FILTER("filter, count"),
  /** How many customers live in each city, and their average balance: how many in Faro. */
  AGGREGATE("groups, count and average"),
  /** The versions of one customer: how many visits they have together. */
  HISTORY("history of a key");

  private final String words;

  BenchQuery(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
