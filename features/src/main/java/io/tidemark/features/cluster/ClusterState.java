// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import io.tidemark.features.db.JdbcUrl;

/** State of a private cluster. */
public sealed interface ClusterState {

  /** There is no cluster. */
  record Absent() implements ClusterState {}

  /**
   * It is there and no server runs.
   *
   * @param major the version of PostgreSQL that it belongs to
   */
  record Stopped(int major) implements ClusterState {}

  /**
   * A server runs.
   *
   * @param major the version of PostgreSQL
   * @param pid its process
   * @param port where it listens, on the loopback interface only
   * @param url its database for features, with the password
   */
  record Running(int major, long pid, int port, JdbcUrl url) implements ClusterState {}
}
