// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.PushResult;
import io.tidemark.names.PushResult.Conflict;
import io.tidemark.testkit.objects.Race;
import io.tidemark.testkit.process.ParentLink;
import java.util.Optional;

/**
 * A process whose threads raise the watermark of one status by one, again and again. In the payload
 * each counts how often it did, and keeps the counts of the others. A thread ends when it has done
 * so often enough and the state says {@link #ENOUGH}. Each time it has the answer, it tells who it
 * is and its count.
 */
final class StatusWorker {
  static final Address ADDRESS = Address.parse("counted");
  static final String ENOUGH = "enough";
  static final int THREADS = 2;

  private final ParentLink parent;
  private final NameService names;
  private final String writer;
  private final int least;

  private StatusWorker(ParentLink parent, NameService names, String writer, int least) {
    this.parent = parent;
    this.names = names;
    this.writer = writer;
    this.least = least;
  }

  /** Takes the place, a name that no other process has, and how often a thread counts at least. */
  public static void main(String[] arguments) throws Exception {
    ParentLink parent = new ParentLink();
    try (NameService names = DirectoryFixture.parse(arguments).names()) {
      parent.awaitStart();
      Race.run(
          THREADS,
          thread -> {
            String writer = arguments[2] + "-" + thread;
            new StatusWorker(parent, names, writer, Integer.parseInt(arguments[3])).work();
            return thread;
          });
    }
  }

  private void work() {
    ConcernValue known = names.get(ADDRESS, Concern.STATUS).orElseThrow();
    int count = 0;
    while (count < least || !isEnough(known)) {
      ConcernValue next = raised(known, count + 1);
      PushResult result = names.push(ADDRESS, Concern.STATUS, Optional.of(known), next);
      if (result instanceof Conflict conflict) {
        known = conflict.actual().orElseThrow();
      } else {
        known = next;
        count++;
        parent.printLine(writer + " " + count);
      }
    }
  }

  private ConcernValue raised(ConcernValue known, int count) {
    return ConcernValue.of(
        known.watermark() + 1,
        known.payload().orElseThrow().with(json -> json.withObject("counts").put(writer, count)));
  }

  private static boolean isEnough(ConcernValue status) {
    return status.payload().orElseThrow().string("state").equals(Optional.of(ENOUGH));
  }
}
