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

  /** How far they go. */
  enum Style {
    /** As users do: a retract leaves the concerns alone, and a reset goes back. */
    USUAL,

    /**
     * Each edit moves each concern, and none of them back. So when its outcome stays unknown, every
     * register tells by its watermark when the edit can't take place any more.
     */
    THOROUGH
  }

  private final RandomGenerator random;
  private final Style style;

  RandomEdits(RandomGenerator random, Style style) {
    this.random = random;
    this.style = style;
  }

  /**
   * The record after an edit.
   *
   * @param id which nobody else ever writes
   */
  NameRecord next(NameRecord seen, String id) {
    boolean turns = seen.meta().retracted() || random.nextInt(3) == 0;
    NameRecord next = turns ? turned(seen, id) : reset(seen, id);
    if (style == Style.USUAL) {
      return next;
    }
    ConcernValue config = value(seen.config().watermark() + 1, "{'by':'" + id + "'}");
    return (turns ? reset(next, id) : inState(next, id)).with(Concern.CONFIG, config, 1);
  }

  /** Retracted if it wasn't, else restored. */
  private static NameRecord turned(NameRecord seen, String id) {
    NameRecord.Meta meta = seen.meta();
    return inState(seen.withMeta(meta.withRetracted(!meta.retracted())), id);
  }

  private static NameRecord inState(NameRecord record, String id) {
    String state = record.meta().retracted() ? "retracted" : "ready";
    String status = "{'state':'" + state + "','by':'" + id + "'}";
    return record.with(Concern.STATUS, value(record.status().watermark() + 1, status), 1);
  }

  private NameRecord reset(NameRecord record, String id) {
    return record
        .with(Concern.HEAD, head(id, goal(record.head())), 1)
        .with(Concern.INDEX, index(id, goal(record.index()), 0), 1);
  }

  private long goal(ConcernValue from) {
    int back = style == Style.USUAL ? random.nextInt(4) : 0;
    return Math.max(1, from.watermark() - back);
  }
}
