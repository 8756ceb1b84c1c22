// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Outcome of a merge, actual or expected. */
public sealed interface MergeOutcome {

  /** Returns the newest commit of the source branch. */
  long source();

  /** The target has the commit already. */
  record UpToDate(long source, long target) implements MergeOutcome {}

  /** The target had no commits of its own: its head moves from one commit to the other. */
  record FastForward(long source, long from) implements MergeOutcome {}

  /**
   * One commit merges the changes of the source.
   *
   * @param base the newest commit that both had
   * @param commit the merge commit; empty in a preview
   */
  record Merged(long source, long base, SortedMap<TypeId, Counts> counts, Optional<Long> commit)
      implements MergeOutcome {
    public Merged {
      counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }
  }

  /**
   * Both sides changed the same fields differently. Nothing was done.
   *
   * @param base the newest commit that both had
   * @param total number of identities in conflict
   * @param first the first conflicts, at most {@link #SHOWN}
   */
  record Conflicted(long source, long base, long total, List<Conflict> first)
      implements MergeOutcome {
    /** Maximum number of conflicts that are kept to be shown. */
    public static final int SHOWN = 1_000;

    public Conflicted {
      first = List.copyOf(first);
    }
  }

  /**
   * Number of a type's rows by the way they are merged.
   *
   * @param taken rows as the source has them, which the target hadn't changed
   * @param combined rows of which each side changed other fields
   * @param resolved rows with conflicts, which were resolved as requested
   */
  record Counts(long taken, long combined, long resolved) {}

  /** Identity that both sides changed, with the fields in conflict. */
  record Conflict(TypeId type, Identity identity, List<FieldConflict> fields) {
    public Conflict {
      fields = List.copyOf(fields);
    }
  }

  /** Field that both sides changed; each value is empty where the field is missing. */
  record FieldConflict(
      String field, Optional<JsonNode> base, Optional<JsonNode> ours, Optional<JsonNode> theirs) {}
}
