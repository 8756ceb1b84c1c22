// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which past is asked about.
 *
 * @param upTo what was committed later isn't seen
 * @param historySince every version that was written after this commit is a row; empty when only
 *     the last version of each identity is
 * @param schemaOf the moment whose schemas rows are shown in; empty for those of now
 */
public record TemporalScope(Moment upTo, OptionalLong historySince, Optional<Moment> schemaOf) {

  /** A place in the order of commits. */
  public sealed interface Moment {

    /** The newest commit there is when the query begins. */
    enum Newest implements Moment {
      NEWEST
    }

    /** A commit; a later one than there is means the newest, one before the first means none. */
    record AtCommit(long id) implements Moment {}

    /** The last commit at or before a time, by the clocks of those who committed. */
    record AtTime(Instant time) implements Moment {}
  }

  /** The state as it is. */
  public static final TemporalScope LATEST =
      new TemporalScope(Moment.Newest.NEWEST, OptionalLong.empty(), Optional.empty());

  /** The same as of some moment. */
  public TemporalScope asOf(Moment moment) {
    return new TemporalScope(moment, historySince, schemaOf);
  }

  /** Every version after a commit, instead of the last of each identity. */
  public TemporalScope since(long commitId) {
    return new TemporalScope(upTo, OptionalLong.of(commitId), schemaOf);
  }

  /** In the schemas that types had at a moment, instead of those that they have now. */
  public TemporalScope inSchemaOf(Moment moment) {
    return new TemporalScope(upTo, historySince, Optional.of(moment));
  }

  /** Whether each version is a row of its own. */
  public boolean isHistory() {
    return historySince.isPresent();
  }
}
