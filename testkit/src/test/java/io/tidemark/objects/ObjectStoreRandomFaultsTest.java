// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.AppliedWrites.Applied;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.objects.DeterministicScheduler;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultMix;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.ScheduledBackend;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What a store says of a write is true whatever gets lost: actors count, create and delete through
 * a backend with every fault, one interleaving a seed, and afterwards what each was told is
 * compared with what was applied below the faults.
 */
class ObjectStoreRandomFaultsTest {
  private static final int RUNS = Boolean.getBoolean("soak") ? 2_000 : 60;
  private static final int ACTORS = 5;
  private static final int STEPS = 60;
  private static final int COUNTERS = 2;
  private static final int VICTIMS = 20;

  private enum Outcome {
    WRITTEN,
    PRECONDITION_FAILED,
    UNAVAILABLE,
    UNKNOWN
  }

  @Test
  void whatAStoreSaysOfAWriteIsTrue() throws InterruptedException {
    Seed seed = Seed.of("whatAStoreSaysOfAWriteIsTrue");
    SplittableRandom seeds = new SplittableRandom(seed.value());
    Set<Outcome> seen = EnumSet.noneOf(Outcome.class);
    for (int run = 0; run < RUNS; run++) {
      double faults = 0.05 + 0.15 * (run % 5);
      Simulation simulation = new Simulation(seeds.split(), faults);
      simulation.run();
      try {
        simulation.check();
      } catch (AssertionError e) {
        throw new AssertionError(seed + ", run " + run + ": " + e.getMessage(), e);
      }
      seen.addAll(simulation.outcomes());
    }
    assertThat(seen).as("each outcome occurred").containsExactlyInAnyOrder(Outcome.values());
  }

  /** One store with its actors. */
  private static final class Simulation {
    private final AppliedWrites truth = new AppliedWrites(new MemoryBackend());
    private final SplittableRandom random;
    private final DeterministicScheduler deterministicScheduler;
    private final FaultyBackend faulty;
    private final ObjectBackend backend;
    private final Map<String, Outcome> told = new LinkedHashMap<>();
    private final Map<String, ETag> toldVersion = new LinkedHashMap<>();
    private final List<ETag> toldDeleted = new ArrayList<>();
    private final Map<String, ETag> victims = new LinkedHashMap<>();

    Simulation(SplittableRandom random, double faults) {
      this.random = random;
      this.deterministicScheduler = new DeterministicScheduler(random.split());
      this.faulty = new FaultyBackend(truth, random.split(), FaultMix.everything(faults));
      this.backend = new ScheduledBackend(faulty, deterministicScheduler);
    }

    void run() throws InterruptedException {
      for (int i = 0; i < COUNTERS; i++) {
        truth.put("counter/" + i, Body.of("0 start " + i), Condition.ifAbsent(), "start");
      }
      for (int i = 0; i < VICTIMS; i++) {
        Body body = Body.of("0 victim " + i);
        WriteResult result = truth.put("victim/" + i, body, Condition.ifAbsent(), "start");
        victims.put("victim/" + i, ((Written) result).etag());
      }
      List<Actor> actors = new ArrayList<>();
      for (int i = 0; i < ACTORS; i++) {
        actors.add(new Actor(this, "actor-" + i, random.split()));
      }
      deterministicScheduler.run(actors);
      faulty.deliverLateWrites();
    }

    Set<Outcome> outcomes() {
      return new HashSet<>(told.values());
    }

    void check() {
      Map<String, List<Applied>> applied = new LinkedHashMap<>();
      for (Applied write : truth.writes()) {
        applied.computeIfAbsent(write.text(), text -> new ArrayList<>()).add(write);
      }
      told.forEach((text, outcome) -> checkWrite(text, outcome, applied));
      for (int i = 0; i < COUNTERS; i++) {
        checkCounter("counter/" + i);
      }
      assertThat(toldDeleted).doesNotHaveDuplicates();
      assertThat(truth.deleted()).doesNotHaveDuplicates().containsAll(toldDeleted);
    }

    private void checkWrite(String text, Outcome outcome, Map<String, List<Applied>> applied) {
      List<Applied> writes = applied.getOrDefault(text, List.of());
      switch (outcome) {
        case WRITTEN ->
            assertThat(writes)
                .as("\"%s\" was said to be written", text)
                .extracting(Applied::etag)
                .containsExactly(toldVersion.get(text));
        case PRECONDITION_FAILED, UNAVAILABLE ->
            assertThat(writes).as("\"%s\" was said not to be written", text).isEmpty();
        case UNKNOWN -> assertThat(writes).as("\"%s\" was tried", text).hasSizeLessThan(2);
      }
    }

    private void checkCounter(String key) {
      List<Long> values =
          truth.writes().stream()
              .filter(write -> write.key().equals(key))
              .map(write -> Long.parseLong(write.text().split(" ", -1)[0]))
              .toList();
      assertThat(values)
          .as("the steps of %s", key)
          .isEqualTo(LongStream.range(0, values.size()).boxed().toList());
    }
  }

  /** Does random things and notes what it is told. Only one actor runs at a time. */
  private static final class Actor implements Runnable {
    private final Simulation simulation;
    private final String name;
    private final RandomGenerator random;
    private final ObjectStore store;
    private int step;

    Actor(Simulation simulation, String name, RandomGenerator random) {
      this.simulation = simulation;
      this.name = name;
      this.random = random;
      this.store = new ObjectStore(simulation.backend, FakeTime.retry(1 + random.nextInt(6)));
    }

    @Override
    public void run() {
      for (step = 0; step < STEPS; step++) {
        switch (random.nextInt(4)) {
          case 0, 1 -> count("counter/" + random.nextInt(COUNTERS));
          case 2 -> create("created/" + random.nextInt(STEPS));
          default -> delete("victim/" + random.nextInt(VICTIMS));
        }
      }
    }

    private void count(String key) {
      Optional<StoredObject> now;
      try {
        now = store.get(key);
      } catch (StoreUnavailableException e) {
        return;
      }
      long value = Long.parseLong(now.orElseThrow().text().split(" ", -1)[0]);
      put(key, (value + 1) + " " + name + " " + step, Condition.ifMatch(now.get().etag()));
    }

    private void create(String key) {
      put(key, "0 " + name + " " + step, Condition.ifAbsent());
    }

    private void put(String key, String text, Condition condition) {
      Outcome outcome;
      try {
        WriteResult result = store.put(key, Body.of(text), condition);
        outcome = result.written() ? Outcome.WRITTEN : Outcome.PRECONDITION_FAILED;
        if (result instanceof Written written) {
          simulation.toldVersion.put(text, written.etag());
        }
      } catch (StoreUnavailableException e) {
        outcome = Outcome.UNAVAILABLE;
      } catch (OutcomeUnknownException e) {
        outcome = Outcome.UNKNOWN;
      }
      simulation.told.put(text, outcome);
    }

    private void delete(String key) {
      ETag version = simulation.victims.get(key);
      try {
        if (version != null && store.deleteIfMatch(key, version).deleted()) {
          simulation.toldDeleted.add(version);
        }
      } catch (StoreUnavailableException | OutcomeUnknownException e) {
        // Whether it is deleted shows below the faults; that nobody else is told so, above.
      }
    }
  }
}
