// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Past state or history that a query reads.
 *
 * @param upTo the moment whose later commits aren't seen
 * @param historySince every version that was written after this commit is a row; empty when only
 *     the last version of each identity is
 * @param schemaOf the moment whose schemas rows are shown in; empty for the current ones
 */
public record TemporalScope(Moment upTo, OptionalLong historySince, Optional<Moment> schemaOf) {

  /** Position in the order of commits. */
  public sealed interface Moment {

    /** The newest commit there is when the query begins. */
    enum Newest implements Moment {
      NEWEST
    }

    /** A commit; a later one than there is means the newest, one before the first means none. */
    record AtCommit(long id) implements Moment {}

    /** The last commit at or before a time, by the clocks of the writers. */
    record AtTime(Instant time) implements Moment {}
  }

  /** The current state. */
  public static final TemporalScope LATEST =
      new TemporalScope(Moment.Newest.NEWEST, OptionalLong.empty(), Optional.empty());

  /** Returns the scope as of another moment. */
  public TemporalScope asOf(Moment moment) {
    return new TemporalScope(moment, historySince, schemaOf);
  }

  /** Returns the scope of every version after a commit, instead of the last of each identity. */
  public TemporalScope since(long commitId) {
    return new TemporalScope(upTo, OptionalLong.of(commitId), schemaOf);
  }

  /** Returns the scope with the schemas that types had at a moment, instead of the current ones. */
  public TemporalScope inSchemaOf(Moment moment) {
    return new TemporalScope(upTo, historySince, Optional.of(moment));
  }

  /** Returns whether each version is a row of its own. */
  public boolean isHistory() {
    return historySince.isPresent();
  }
}
