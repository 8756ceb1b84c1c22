// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/** Aggregate of many rows. Those that read a value skip rows without one. */
public sealed interface Aggregate {

  /** Number of rows. */
  enum Count implements Aggregate {
    COUNT
  }

  /** Number of rows that meet a condition. */
  record CountWhere(Filter filter) implements Aggregate {}

  /** Function of the values. */
  enum Function {
    SUM,
    AVG,
    MIN,
    MAX
  }

  /**
   * Aggregate of values: null when there are none. Sums and averages are of numbers, and skip all
   * other values.
   */
  record OfValues(Function function, Operand operand) implements Aggregate {}

  /** Average length of lists; skips values that are no lists. */
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
