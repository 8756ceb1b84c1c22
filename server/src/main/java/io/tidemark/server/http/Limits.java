// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.ledger.internal.sql.SqlLimits;
import java.time.Duration;

/**
 * How much callers may ask for, one by one and all together.
 *
 * @param bodyBytes of a document; streams are read by and by and have no limit here
 * @param headerBytes of the head of a request, its path and query included
 * @param queryParameters how many of them a request may have
 * @param pageSize how many things an answer lists at most
 * @param json what a document may look like
 * @param pace how long a caller may take
 * @param crowd how many there may be at once
 * @param sql what one query may use
 */
@RecordBuilder
public record Limits(
    long bodyBytes,
    int headerBytes,
    int queryParameters,
    int pageSize,
    Json json,
    Pace pace,
    Concurrency crowd,
    SqlLimits sql)
    implements LimitsBuilder.With {

  /**
   * What a document may look like. Text in it is bounded by the document.
   *
   * @param depth how deep objects and arrays may lie in one another
   * @param tokens how many brackets, names and values it may have, since each costs memory
   * @param numberLength how many characters a number may have
   * @param nameLength how many characters the name of a member may have
   */
  public record Json(int depth, int tokens, int numberLength, int nameLength) {}

  /**
   * How long a caller may take. Only time counts in which the server waits for the caller.
   *
   * @param idle how long a connection may stay without a whole request, and how long nothing at all
   *     may come or be taken in the middle of one
   * @param grace how long a body may take to come, and an answer to be taken, however short
   * @param bytesPerSecond what has to come or be taken beyond that
   */
  public record Pace(Duration idle, Duration grace, int bytesPerSecond) {

    /** How long so many bytes may take. */
    public Duration allowed(long bytes) {
      return grace.plusMillis(bytes * 1000 / bytesPerSecond);
    }
  }

  /**
   * How many there may be at once.
   *
   * @param connections more than that wait to be accepted. Before it comes to that, those are
   *     closed that have been without a request the longest
   * @param threads that answer requests, in three lanes (see {@link Route.DispatchClass})
   * @param streams requests that hold a thread while a body comes or an answer is taken piece by
   *     piece; fewer than threads, so that some are always left for the others
   * @param queries that run at the same time, since each may use as much as {@link SqlLimits} says
   */
  public record Concurrency(int connections, int threads, int streams, int queries) {

    /** How many look-ups are answered at a time. */
    int lookups() {
      return Math.max(1, threads / 4);
    }

    /** How many others are, so that some threads are left for what is vital. */
    int work() {
      return Math.max(1, threads - lookups() - Math.max(4, threads / 8));
    }
  }

  /** How long one of many records may be: no longer than a document. */
  public int recordLength() {
    return (int) Math.min(bodyBytes, Integer.MAX_VALUE);
  }

  /** Files of SQL are smaller than elsewhere, since each stays until its caller has taken it. */
  public static Limits standard() {
    return new Limits(
        16L << 20,
        16 << 10,
        1000,
        1000,
        new Json(64, 1_000_000, 1000, 4096),
        new Pace(Duration.ofSeconds(30), Duration.ofSeconds(10), 4096),
        new Concurrency(10_000, 128, 64, 8),
        SqlLimits.standard().withTime(Duration.ofSeconds(30)).withFile("1GB"));
  }
}
