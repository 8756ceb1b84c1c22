// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The number of a transaction: its day in UTC and its place in that day, as a decimal of 19 digits.
 *
 * @param value {@code (year * 10000 + month * 100 + day) * 10^11 + sequence}
 */
public record Txn(long value) implements Comparable<Txn> {

  private static final long PER_DAY = 100_000_000_000L;
  private static final int LAST_YEAR = 9223;

  public Txn {
    try {
      dayOf(value);
    } catch (DateTimeException e) {
      throw new InvalidRequestException(
          "'%d' is no transaction number: it begins with no date; one looks like 2023013000000000007"
              .formatted(value),
          e);
    }
  }

  /** Returns the n-th transaction of a day; {@code of(day, 0)} is the first it can have. */
  public static Txn of(LocalDate day, long n) {
    if (day.getYear() < 1 || day.getYear() > LAST_YEAR || n < 0 || n >= PER_DAY) {
      throw new InvalidRequestException(
          "no transaction number holds %s and %d; years go to %d, numbers to %d"
              .formatted(day, n, LAST_YEAR, PER_DAY - 1));
    }
    long date = day.getYear() * 10_000L + day.getMonthValue() * 100L + day.getDayOfMonth();
    return new Txn(date * PER_DAY + n);
  }

  /** Returns the first transaction that the day of a moment can have. */
  public static Txn dayOf(Instant moment) {
    try {
      return of(LocalDate.ofInstant(moment, ZoneOffset.UTC), 0);
    } catch (DateTimeException e) {
      throw new InvalidRequestException(
          "%s is beyond the calendar; give a moment up to the year %d".formatted(moment, LAST_YEAR),
          e);
    }
  }

  /** Returns the day, in UTC. */
  public LocalDate day() {
    return dayOf(value);
  }

  /** Returns the position within the day, from 0. */
  public long sequence() {
    return value % PER_DAY;
  }

  private static LocalDate dayOf(long value) {
    long date = value / PER_DAY;
    return LocalDate.of((int) (date / 10_000), (int) (date / 100 % 100), (int) (date % 100));
  }

  @Override
  public int compareTo(Txn other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
