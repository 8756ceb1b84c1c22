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

/** How taking in a branch ended, or would end. */
public sealed interface MergeOutcome {

  /** The newest commit of the branch that is, or was to be, taken in. */
  long source();

  /** The target has it already. */
  record UpToDate(long source, long target) implements MergeOutcome {}

  /** The target had nothing of its own since: its head moves from one commit to the other. */
  record FastForward(long source, long from) implements MergeOutcome {}

  /**
   * What the source changed is taken in by one commit.
   *
   * @param base the newest commit that both had
   * @param commit that took it in; empty for what would be done
   */
  record Merged(long source, long base, SortedMap<TypeId, Counts> counts, Optional<Long> commit)
      implements MergeOutcome {
    public Merged {
      counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }
  }

  /**
   * Both changed the same fields differently. Nothing was done.
   *
   * @param base the newest commit that both had
   * @param total how many identities are in conflict
   * @param first some of them, at most {@link #SHOWN}
   */
  record Conflicted(long source, long base, long total, List<Conflict> first)
      implements MergeOutcome {
    /** How many conflicts are kept to be shown. */
    public static final int SHOWN = 1_000;

    public Conflicted {
      first = List.copyOf(first);
    }
  }

  /**
   * What becomes of a type's rows.
   *
   * @param taken rows as the source has them, which the target hadn't changed
   * @param combined rows of which each side changed other fields
   * @param resolved rows on which the sides disagree, decided as was asked for
   */
  record Counts(long taken, long combined, long resolved) {}

  /** An identity that both sides changed, with the fields on which they disagree. */
  record Conflict(TypeId type, Identity identity, List<FieldConflict> fields) {
    public Conflict {
      fields = List.copyOf(fields);
    }
  }

  /** A field that both sides changed; each value is empty where the field isn't there. */
  record FieldConflict(
      String field, Optional<JsonNode> base, Optional<JsonNode> ours, Optional<JsonNode> theirs) {}
}
