// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * Commit of a ledger.
 *
 * @param commitId number of the commit
 * @param timestamp time of the commit, by the clock of its writer
 * @param operations number of rows that it wrote
 * @param meta metadata
 */
public record CommitSummary(long commitId, Instant timestamp, long operations, JsonNode meta) {}
