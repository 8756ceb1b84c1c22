// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** Outcome of a merge, or the one it would have. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({
  @JsonSubTypes.Type(value = MergeResult.Merged.class, name = "merged"),
  @JsonSubTypes.Type(value = MergeResult.Conflicted.class, name = "conflict"),
  @JsonSubTypes.Type(value = MergeResult.FastForward.class, name = "fast_forward"),
  @JsonSubTypes.Type(value = MergeResult.UpToDate.class, name = "up_to_date")
})
public sealed interface MergeResult {

  /** Newest commit of the source. */
  long sourceCommit();

  /** Branch that is taken in. */
  String source();

  /** Branch that takes it in. */
  String target();

  /** Returns whether it was done. */
  boolean applied();

  /**
   * The changes of the source become one commit.
   *
   * @param baseCommit newest commit that both branches have
   * @param commitId the commit; empty unless it was done
   * @param counts rows by type
   */
  record Merged(
      long baseCommit,
      Optional<Long> commitId,
      List<Counts> counts,
      long sourceCommit,
      String source,
      String target,
      boolean applied)
      implements MergeResult {
    public Merged {
      counts = List.copyOf(counts);
    }
  }

  /**
   * Both branches changed the same fields differently; nothing was merged.
   *
   * @param baseCommit newest commit that both branches have
   * @param conflicts number of rows in conflict
   * @param first the first of them
   */
  record Conflicted(
      long baseCommit,
      long conflicts,
      List<Conflict> first,
      long sourceCommit,
      String source,
      String target,
      boolean applied)
      implements MergeResult {
    public Conflicted {
      first = List.copyOf(first);
    }
  }

  /** The target has nothing of its own: its head moves to the commit of the source. */
  record FastForward(
      long targetCommit, long sourceCommit, String source, String target, boolean applied)
      implements MergeResult {}

  /** The target has all commits of the source. */
  record UpToDate(
      long targetCommit, long sourceCommit, String source, String target, boolean applied)
      implements MergeResult {}

  /**
   * Number of rows of a type that are merged.
   *
   * @param taken rows that only the source changed
   * @param combined rows of which each side changed other fields
   * @param resolved rows in conflict that were decided as requested
   */
  record Counts(String typeKind, String typeName, long taken, long combined, long resolved) {

    /** Returns the number of rows. */
    public long rows() {
      return taken + combined + resolved;
    }
  }

  /**
   * A row that both branches changed.
   *
   * @param key key of an entity
   * @param leftKey left key of a relation
   * @param rightKey right key of a relation
   * @param instanceKey instance key of a relation that has one
   * @param fields the fields in conflict
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record Conflict(
      String typeKind,
      String typeName,
      Optional<String> key,
      Optional<String> leftKey,
      Optional<String> rightKey,
      Optional<String> instanceKey,
      List<FieldConflict> fields) {
    public Conflict {
      fields = List.copyOf(fields);
    }
  }

  /** A field that both branches changed; a value is empty where the field is missing. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record FieldConflict(
      String field, Optional<JsonNode> base, Optional<JsonNode> ours, Optional<JsonNode> theirs) {}
}
