// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Outcome of a batch, which was written as a whole or not at all.
 *
 * @param committed whether all of it was written
 * @param txn the transaction; empty if nothing was written
 * @param rows outcome of each write, in the order of the batch
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record WrittenFeatures(boolean committed, Optional<Long> txn, List<Row> rows) {

  public WrittenFeatures {
    rows = List.copyOf(rows);
  }

  /** Returns the first write that couldn't be done; empty if all could. */
  @JsonIgnore
  public Optional<Row> firstProblem() {
    return rows.stream().filter(row -> !row.result().isDone()).findFirst();
  }

  /**
   * Outcome of one write.
   *
   * @param result effect of the write
   * @param id id of the feature as it is stored
   * @param uuid uuid of the state that came of it
   * @param version number of states of the feature, with this one
   * @param message explanation of a write that couldn't be done
   * @param actual state of a feature that wasn't in the expected one
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record Row(
      Result result,
      String id,
      Optional<String> uuid,
      Optional<Long> version,
      Optional<String> message,
      Optional<ObjectNode> actual) {}

  /** Effect of a write. */
  public enum Result {
    /** The feature is new. */
    CREATED,
    /** The feature has a new state. */
    UPDATED,
    /** The feature was deleted. */
    DELETED,
    /** The feature was deleted, and its last state is in the history only. */
    PURGED,
    /** There was nothing to delete. */
    RETAINED,
    /** The feature isn't in the expected state. */
    CONFLICT,
    /** The feature doesn't exist. */
    MISSING,
    /** The write is impossible in any state. */
    INVALID;

    /** Returns whether the feature is as the write wanted it. */
    public boolean isDone() {
      return compareTo(CONFLICT) < 0;
    }

    /** Returns the effect as it is written, such as {@code created}. */
    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
