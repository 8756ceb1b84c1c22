// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;

/**
 * Commit whose changes follow.
 *
 * @param commitId number of the commit
 * @param timestamp time of the commit
 * @param operations number of rows that it wrote
 * @param meta metadata
 * @param purged types whose changes can't be told any more
 */
public record CommitChangesHeader(
    long commitId,
    Instant timestamp,
    long operations,
    JsonNode meta,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PurgedType> purged) {

  public CommitChangesHeader {
    purged = List.copyOf(purged);
  }
}
