// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.ledger.internal.sql.SqlLimits;
import java.time.Duration;

/**
 * Limits on requests, for each caller and for all together.
 *
 * @param bodyBytes maximum length of a document; streams have no limit here
 * @param headerBytes maximum size of the request head, including path and query
 * @param queryParameters maximum number of query parameters of a request
 * @param pageSize maximum number of items in an answer
 * @param json limits on documents
 * @param pace time limits for clients
 * @param crowd limits on concurrency
 * @param sql limits of one query
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
   * Limits on JSON documents. The length of texts is limited only by that of the document.
   *
   * @param depth maximum nesting depth of objects and arrays
   * @param tokens maximum number of brackets, names and values, since each costs memory
   * @param numberLength maximum number of characters of a number
   * @param nameLength maximum number of characters of a member's name
   */
  public record Json(int depth, int tokens, int numberLength, int nameLength) {}

  /**
   * Time limits for clients. Only time counts in which the server waits for the client.
   *
   * @param idle maximum time of a connection without a complete request head, and of one without
   *     any progress in the middle of a request
   * @param grace time that any body may take to arrive, and any answer to be read, however short
   * @param bytesPerSecond minimum rate beyond the grace period
   */
  public record Pace(Duration idle, Duration grace, int bytesPerSecond) {

    /** Returns the maximum time for this many bytes. */
    public Duration allowed(long bytes) {
      return grace.plusMillis(bytes * 1000 / bytesPerSecond);
    }
  }

  /**
   * Limits on concurrency.
   *
   * @param connections maximum number of connections; further ones wait to be accepted. Shortly
   *     before the limit the server closes connections that have been idle the longest
   * @param threads number of threads for requests, in three lanes (see {@link Route.DispatchClass})
   * @param streams maximum number of requests that hold a thread while a body arrives or an answer
   *     is read piece by piece; fewer than threads, so that other requests always find some
   * @param queries maximum number of concurrent queries, since each may use as much as {@link
   *     SqlLimits} says
   */
  public record Concurrency(int connections, int threads, int streams, int queries) {

    /** Returns the maximum number of concurrent look-ups. */
    int lookups() {
      return Math.max(1, threads / 4);
    }

    /**
     * Returns the maximum number of other concurrent requests, which leaves threads for vital ones.
     */
    int work() {
      return Math.max(1, threads - lookups() - Math.max(4, threads / 8));
    }
  }

  /** Returns the maximum length of one record of a stream: that of a document. */
  public int recordLength() {
    return (int) Math.min(bodyBytes, Integer.MAX_VALUE);
  }

  /**
   * Returns the standard limits. SQL result files are smaller than elsewhere, since each stays on
   * disk until its caller has read it.
   */
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
