// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.objects.Race;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sixteen threads read and push one record; each gets its share, and none lets very many others go
 * first. How long that takes is up to the machine.
 */
class HotRecordTest {

  private static final int THREADS = 16;
  private static final int PUSHES = 200;
  private static final Address HOT = Address.parse("hot");

  @TempDir Path root;

  @ParameterizedTest
  @EnumSource(
      value = Concern.class,
      names = {"STATUS", "INDEX"})
  void nobodyIsLeftBehind(Concern concern) throws Exception {
    ObjectStore store =
        new ObjectStore(DirectoryBackend.open(root, Durability.PAGE_CACHE), Retry.standard());
    try (NameService names =
        new NameService(
            new ObjectNameBackend(store, DocumentLayout.B, Retry.standard(), Clock.systemUTC()))) {
      names.create(HOT);
      AtomicInteger begun = new AtomicInteger();
      AtomicBoolean done = new AtomicBoolean();
      List<List<Long>> all =
          Race.run(
              THREADS,
              thread -> {
                begun.incrementAndGet();
                do { // until all are at it, or the first would be done by then
                  push(names, concern);
                } while (begun.get() < THREADS);
                List<Long> others = new ArrayList<>();
                while (!done.get() && others.size() < PUSHES) {
                  others.add(push(names, concern));
                }
                done.set(true); // the first to have made all its pushes ends it for all
                return others;
              });
      assertThat(all).allSatisfy(mine -> assertThat(mine).hasSizeGreaterThan(PUSHES / 2));
      List<Long> sorted = all.stream().flatMap(List::stream).sorted().toList();
      assertThat(sorted.get(sorted.size() * 99 / 100)).as("p99").isLessThan(10 * THREADS);
    }
  }

  /** Moves a concern on from wherever it is; how many others did so meanwhile. */
  private static long push(NameService names, Concern concern) {
    ConcernValue first = names.get(HOT, concern).orElseThrow();
    ConcernValue known = first;
    while (true) {
      long next = known.watermark() + 1;
      Payload payload = Payload.build(json -> json.put("state", "s" + next));
      PushResult result =
          names.push(HOT, concern, Optional.of(known), ConcernValue.of(next, payload));
      if (!(result instanceof PushResult.Conflict conflict)) {
        return next - first.watermark() - 1;
      }
      known = conflict.actual().orElseThrow();
    }
  }
}
