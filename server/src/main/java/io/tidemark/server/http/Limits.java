// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.time.Duration;

/**
 * How much one request may ask for.
 *
 * @param bodyBytes of a document; streams are read by and by and have no limit here
 * @param jsonDepth how deep objects and arrays may lie in one another
 * @param headerBytes of the head of a request
 * @param pageSize how many things an answer lists at most
 * @param idle how long a connection may say nothing, also in the middle of a request
 * @param connections at once; more have to wait to be accepted
 * @param threads that answer requests
 */
public record Limits(
    long bodyBytes,
    int jsonDepth,
    int headerBytes,
    int pageSize,
    Duration idle,
    int connections,
    int threads) {

  public static Limits standard() {
    return new Limits(16L << 20, 64, 16 << 10, 1000, Duration.ofSeconds(30), 10_000, 64);
  }
}
