// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/** A figure about many rows. What has no value is passed over by all that look at a value. */
public sealed interface Aggregate {

  /** How many rows there are. */
  enum Count implements Aggregate {
    COUNT
  }

  /** How many rows a condition is true of. */
  record CountWhere(Filter filter) implements Aggregate {}

  /** What is made of the values. */
  enum Function {
    SUM,
    AVG,
    MIN,
    MAX
  }

  /**
   * A figure about values: null when there are none. Sums and averages are of numbers, and pass
   * over all else.
   */
  record OfValues(Function function, Operand operand) implements Aggregate {}

  /** How long lists are on average; passes over what is no list. */
  record AvgLen(FieldPath list) implements Aggregate {}

  static Aggregate count() {
    return Count.COUNT;
  }

  static Aggregate countWhere(Filter filter) {
    return new CountWhere(filter);
  }

  static Aggregate sum(String path) {
    return new OfValues(Function.SUM, Fields.operand(path));
  }

  static Aggregate avg(String path) {
    return new OfValues(Function.AVG, Fields.operand(path));
  }

  static Aggregate min(String path) {
    return new OfValues(Function.MIN, Fields.operand(path));
  }

  static Aggregate max(String path) {
    return new OfValues(Function.MAX, Fields.operand(path));
  }

  static Aggregate avgLen(String path) {
    return new AvgLen(FieldPath.of(Side.SELF, path));
  }
}
