// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.features.model.InvalidRequestException;
import java.time.Duration;
import java.util.List;

/**
 * Options for the use of a storage.
 *
 * @param connections maximum number of connections, at least one
 * @param connectTimeout how long to wait for a connection
 * @param statementTimeout maximum duration of one statement
 * @param lockTimeout how long a statement may wait for locks
 * @param replicas the addresses of servers that follow this one and may be read in its place
 * @param replicaPatience how long a read may wait for a replica that lags behind; then the primary
 *     is read
 * @param commitPatience how long the server is asked for the outcome of a commit whose answer was
 *     lost
 */
@RecordBuilder
public record FeaturesOptions(
    int connections,
    Duration connectTimeout,
    Duration statementTimeout,
    Duration lockTimeout,
    List<String> replicas,
    Duration replicaPatience,
    Duration commitPatience)
    implements FeaturesOptionsBuilder.With {

  private static final Duration LONGEST = Duration.ofDays(20);

  private static final FeaturesOptions DEFAULTS =
      new FeaturesOptions(
          10,
          Duration.ofSeconds(5),
          Duration.ofSeconds(60),
          // Longer than PostgreSQL takes to detect a deadlock.
          Duration.ofSeconds(2),
          List.of(),
          Duration.ofSeconds(1),
          Duration.ofSeconds(30));

  public FeaturesOptions {
    if (connections < 1) {
      throw new InvalidRequestException(
          "%d connections are too few; give at least one".formatted(connections));
    }
    atLeast(connectTimeout, Duration.ofSeconds(1), "connect timeout");
    atLeast(statementTimeout, Duration.ofSeconds(2), "statement timeout");
    atMost(connectTimeout, "connect timeout");
    atMost(statementTimeout, "statement timeout");
    atMost(lockTimeout, "lock timeout");
    atLeast(lockTimeout, Duration.ofMillis(100), "lock timeout");
    atLeast(replicaPatience, Duration.ZERO, "patience with replicas");
    atLeast(commitPatience, Duration.ZERO, "patience with a commit");
    atMost(commitPatience, "patience with a commit");
    replicas = List.copyOf(replicas);
  }

  private static void atLeast(Duration value, Duration least, String name) {
    if (value.compareTo(least) < 0) {
      throw new InvalidRequestException(
          "a %s of %s is too short; give at least %s".formatted(name, value, least));
    }
  }

  /** Refuses values that PostgreSQL and its driver can't represent in milliseconds. */
  private static void atMost(Duration value, String name) {
    if (value.compareTo(LONGEST) > 0) {
      throw new InvalidRequestException(
          "a %s of %s is too long; give at most %s".formatted(name, value, LONGEST));
    }
  }

  /** Creates options without replicas. */
  public FeaturesOptions(
      int connections, Duration connectTimeout, Duration statementTimeout, Duration lockTimeout) {
    this(
        connections,
        connectTimeout,
        statementTimeout,
        lockTimeout,
        List.of(),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30));
  }

  /**
   * Returns the defaults: ten connections; 5 seconds for a connection, 60 for a statement, 2 for a
   * lock.
   */
  public static FeaturesOptions defaults() {
    return DEFAULTS;
  }
}
