// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * Which past is asked about.
 *
 * @param upTo what was committed later isn't seen
 * @param historySince every version that was written after this commit is a row; empty when only
 *     the last version of each identity is
 */
public record Temporal(Moment upTo, OptionalLong historySince) {

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
  public static final Temporal LATEST = new Temporal(Moment.Newest.NEWEST, OptionalLong.empty());

  /** The same as of some moment. */
  public Temporal asOf(Moment moment) {
    return new Temporal(moment, historySince);
  }

  /** Every version after a commit, instead of the last of each identity. */
  public Temporal since(long commitId) {
    return new Temporal(upTo, OptionalLong.of(commitId));
  }

  /** Whether each version is a row of its own. */
  public boolean isHistory() {
    return historySince.isPresent();
  }

  /** Whether this is the state as it is now. */
  public boolean isLatest() {
    return equals(LATEST);
  }
}
