// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectBackend.Content;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random writes and deletes by two processes on a disk that loses power at any step, also of a
 * settlement or of the recovery itself: what was acknowledged is there, with its bytes and its
 * ETag.
 */
class PowerLossTest {

  private static final List<String> KEYS =
      List.of("a.json", "b.json", "c.json", "d/e.json", "d/f/g.json");
  private static final int WORLDS = Boolean.getBoolean("soak") ? 20_000 : 150;
  private static final int LIVES = 4;

  @TempDir Path place;

  /** What a key may hold: the text and its ETag, when that is known. */
  private record Value(Optional<String> text, Optional<ETag> etag) {
    static final Value NONE = new Value(Optional.empty(), Optional.empty());

    boolean allows(Value found) {
      return text.equals(found.text()) && (etag.isEmpty() || etag.equals(found.etag()));
    }
  }

  @Test
  void whatWasAcknowledgedSurvivesTheLossOfPower() throws IOException {
    Seed seed = Seed.of("whatWasAcknowledgedSurvivesTheLossOfPower");
    for (int i = 0; i < WORLDS; i++) {
      new Simulation(seed.value() + i, Files.createDirectory(place.resolve("world-" + i))).run();
    }
  }

  /** One directory, from one loss of power to the next. */
  private static final class Simulation {
    private final long seed;
    private final Path place;
    private final RandomGenerator random;
    private final Map<String, List<Value>> possible = new HashMap<>();
    private final List<String> story = new ArrayList<>();
    private PowerLossDisk disk;
    private int boot;
    private int texts;

    Simulation(long seed, Path place) throws IOException {
      this.seed = seed;
      this.place = place;
      this.random = new SplittableRandom(seed);
      this.disk = new PowerLossDisk(Files.createDirectory(place.resolve("0")), random, KEYS);
    }

    void run() throws IOException {
      for (int life = 1; life <= LIVES; life++) {
        disk.losePowerAfter(random.nextInt(1, random.nextBoolean() ? 12 : 150));
        live();
        Path next = Files.createDirectories(place.resolve("" + life)).resolve("store");
        if (disk.isOff() || random.nextBoolean()) {
          story.add("the power fails");
          disk = disk.afterPowerLoss(next);
          boot++;
        } else {
          story.add("all are killed");
          disk = disk.afterKill(next);
        }
      }
    }

    private void live() throws IOException {
      List<DirectoryBackend> processes = new ArrayList<>();
      processes.add(start());
      processes.add(start());
      int steps = random.nextInt(60);
      check(processes.get(0));
      for (int i = 0; i < steps && !disk.isOff(); i++) {
        int chosen = random.nextInt(processes.size());
        if (random.nextInt(25) == 0) {
          story.add("process " + chosen + " ends");
          close(processes.set(chosen, start()));
        } else {
          act(chosen, processes.get(chosen));
        }
        disk.look();
      }
      check(processes.get(1));
    }

    private DirectoryBackend start() {
      HostOps.LogLimits scale =
          new HostOps.LogLimits(random.nextInt(4), 4096 << random.nextInt(2), 200, 2);
      return DirectoryBackend.open(
          disk.root(),
          Durability.SYNC,
          Clock.systemUTC(),
          new PowerLossHostOps(disk, "boot " + boot, scale));
    }

    private static void close(DirectoryBackend process) {
      try {
        process.close();
      } catch (TidemarkException e) {
        // The power may fail meanwhile.
      }
    }

    private void act(int process, DirectoryBackend backend) {
      String key = KEYS.get(random.nextInt(KEYS.size()));
      List<Value> values = possible.computeIfAbsent(key, k -> new ArrayList<>(List.of(Value.NONE)));
      boolean deletes = random.nextInt(4) == 0;
      // Some are too long for the log.
      String text = texts++ + " " + "y".repeat(random.nextInt(8) == 0 ? 300 : random.nextInt(150));
      Value attempted = deletes ? Value.NONE : new Value(Optional.of(text), Optional.empty());
      story.add(process + (deletes ? " deletes " : " puts " + texts + " to ") + key);
      try {
        Value written = deletes ? delete(backend, key) : put(backend, key, text);
        values.clear();
        values.add(written);
      } catch (TidemarkException e) {
        story.add(e.getMessage());
        assertThat(disk.isOff()).as("%s: %s", this, e).isTrue();
        values.add(attempted);
      }
    }

    private Value put(DirectoryBackend backend, String key, String text) {
      Optional<ETag> current = backend.head(key).map(head -> head.etag());
      Condition condition =
          switch (random.nextInt(3)) {
            case 0 -> Condition.none();
            default -> current.map(Condition::ifMatch).orElse(Condition.ifAbsent());
          };
      WriteResult result = backend.put(key, Body.of(text), condition, "");
      assertThat(result.written()).as("%s", this).isTrue();
      return new Value(Optional.of(text), Optional.of(((WriteResult.Written) result).etag()));
    }

    private Value delete(DirectoryBackend backend, String key) {
      backend.delete(key, Optional.empty());
      return Value.NONE;
    }

    /** Every key holds what it may; from then on it can't have held anything else. */
    private void check(DirectoryBackend backend) throws IOException {
      for (String key : KEYS) {
        Value found;
        try {
          found = read(backend, key);
        } catch (TidemarkException e) {
          assertThat(disk.isOff()).as("%s: %s", this, e).isTrue();
          return;
        }
        List<Value> values =
            possible.computeIfAbsent(key, k -> new ArrayList<>(List.of(Value.NONE)));
        assertThat(values).as("%s: %s is %s", this, key, found).anyMatch(v -> v.allows(found));
        if (!disk.isOff()) {
          values.clear();
          values.add(found);
        }
      }
    }

    private static Value read(DirectoryBackend backend, String key) throws IOException {
      if (!(backend.get(key, Optional.empty()) instanceof ReadResult.Found<Content> found)) {
        return Value.NONE;
      }
      try (Content content = found.content()) {
        String text = new String(content.stream().readAllBytes(), StandardCharsets.UTF_8);
        return new Value(Optional.of(text), Optional.of(found.etag()));
      }
    }

    @Override
    public String toString() {
      return "-Dseed=" + seed + ", " + String.join("\n", story);
    }
  }
}
