// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.value;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import java.util.random.RandomGenerator;

/** What becomes of a record that is edited at random: it is retracted, restored or reset. */
final class RandomEdits {

  /** Where a reset leads. */
  enum Resets {
    /** To a lower {@code t} as well. */
    BACK,

    /** To something else at the same {@code t}, so that watermarks never fall. */
    IN_PLACE
  }

  private final RandomGenerator random;
  private final Resets resets;

  RandomEdits(RandomGenerator random, Resets resets) {
    this.random = random;
    this.resets = resets;
  }

  /**
   * The record after an edit.
   *
   * @param id which nobody else ever writes
   */
  NameRecord next(NameRecord seen, String id) {
    if (seen.meta().retracted()) {
      return inState(seen, "ready", id);
    }
    return random.nextInt(3) == 0 ? inState(seen, "retracted", id) : reset(seen, id);
  }

  private static NameRecord inState(NameRecord seen, String state, String id) {
    NameRecord.Meta meta = seen.meta();
    NameRecord.Meta turned =
        new NameRecord.Meta(
            meta.kind(),
            meta.sourceType(),
            meta.dependencies(),
            meta.createdAt(),
            meta.updatedAtMs(),
            !meta.retracted(),
            meta.sourceBranch(),
            meta.branches(),
            meta.indexRev());
    ConcernValue status =
        value(seen.status().watermark() + 1, "{'state':'" + state + "','by':'" + id + "'}");
    return new NameRecord(seen.address(), turned, seen.head(), seen.index(), status, seen.config());
  }

  private NameRecord reset(NameRecord seen, String id) {
    return seen.with(Concern.HEAD, head(id, goal(seen.head())), 1)
        .with(Concern.INDEX, index(id, goal(seen.index()), 0), 1);
  }

  private long goal(ConcernValue from) {
    int back = resets == Resets.BACK ? random.nextInt(4) : 0;
    return Math.max(1, from.watermark() - back);
  }
}
