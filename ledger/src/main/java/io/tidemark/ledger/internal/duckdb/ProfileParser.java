// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.ledger.query.plan.Explanation.ExecutionStatistics;

/** Parser of DuckDB's profile of a statement. */
final class ProfileParser {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ProfileParser() {}

  /** Returns the statistics of a profile; missing ones are 0. */
  static ExecutionStatistics work(String profile) {
    JsonNode root;
    try {
      root = JSON.readTree(profile);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("DuckDB's profile isn't JSON: " + profile, e);
    }
    JsonNode query = root.path("query");
    JsonNode system = root.path("system");
    return new ExecutionStatistics(
        root.findValues("Total Files Read").stream().mapToLong(JsonNode::asLong).sum(),
        query.path("total_row_groups_to_scan").asLong(),
        query.path("total_row_groups_scanned").asLong(),
        root.path("io").path("total_bytes_read").asLong(),
        system.path("peak_buffer_memory").asLong(),
        system.path("peak_temp_dir_size").asLong());
  }
}
