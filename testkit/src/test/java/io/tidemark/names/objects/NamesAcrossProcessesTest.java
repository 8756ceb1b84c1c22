// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.testkit.RamDirectory;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.CrashLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that share a directory, and are killed. */
class NamesAcrossProcessesTest {

  private static final int EACH = 500;
  private static final int KILLS = Boolean.getBoolean("soak") ? 50 : 4;
  private static final int MOST_LINES = 300;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir(factory = RamDirectory.class)
  Path root;

  @ParameterizedTest
  @EnumSource(names = {"B", "C"})
  void noIncrementOfTwoProcessesIsLost_names57(DocumentLayout documentLayout) throws Exception {
    DirectoryFixture place = new DirectoryFixture(root, documentLayout);
    try (NameService names = place.names()) {
      names.create(StatusWorker.ADDRESS);
      setState(names, StatusWorker.ENOUGH);
      long before = status(names).watermark();
      try (ChildJvm first = counting(place, "first");
          ChildJvm second = counting(place, "second")) {
        List.of(first, second).forEach(child -> child.send("go"));
        assertThat(first.linesToEnd()).hasSize(StatusWorker.THREADS * EACH);
        assertThat(second.linesToEnd()).hasSize(StatusWorker.THREADS * EACH);
      }
      assertThat(status(names).watermark()).isEqualTo(before + 2000);
      assertThat(counts(status(names)))
          .isEqualTo(Map.of("first-0", EACH, "first-1", EACH, "second-0", EACH, "second-1", EACH));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"B", "C"})
  void aProcessKilledAmongOthersLosesNothingAndStopsNobody_names57(DocumentLayout documentLayout)
      throws Exception {
    Seed seed = Seed.of("aProcessKilledAmongOthersLosesNothingAndStopsNobody_names57");
    DirectoryFixture place = new DirectoryFixture(root, documentLayout);
    Map<String, Integer> told = new HashMap<>();
    try (NameService names = place.names()) {
      names.create(StatusWorker.ADDRESS);
      long before = status(names).watermark();
      try (ChildJvm first = counting(place, "first");
          ChildJvm second = counting(place, "second")) {
        List.of(first, second).forEach(child -> child.send("go"));
        new CrashLoop(seed.random(), MOST_LINES)
            .run(
                KILLS,
                round -> start(place, "killed" + round, Integer.MAX_VALUE),
                (round, lines) -> {
                  learn(told, lines);
                  assertEveryDocumentIsWhole();
                });
        setState(names, StatusWorker.ENOUGH);
        learn(told, first.linesToEnd()); // they end, so nothing that was killed stands in their way
        learn(told, second.linesToEnd());
      }
      Map<String, Integer> counts = counts(status(names));
      long sum = counts.values().stream().mapToLong(Integer::longValue).sum();
      assertThat(status(names).watermark()).as("%s", seed).isEqualTo(before + sum + 1);
      assertThat(counts).containsAllEntriesOf(survivors(told)).containsKeys(names(told));
      told.forEach(
          (writer, count) ->
              assertThat(requireNonNull(counts.get(writer)))
                  .as("what %s was told or was just being told, %s", writer, seed)
                  .isBetween(count, count + 1));
    }
    try (NameService next = place.names()) {
      setState(next, "swept"); // the first write of a process clears up after those that died
      assertThat(root.resolve(".tidemark/tmp")).isEmptyDirectory();
    }
  }

  private static Map<String, Integer> survivors(Map<String, Integer> told) {
    Map<String, Integer> survivors = new HashMap<>(told);
    survivors.keySet().removeIf(writer -> writer.startsWith("killed"));
    assertThat(survivors).hasSize(2 * StatusWorker.THREADS);
    assertThat(survivors.values()).allMatch(count -> count >= EACH);
    return survivors;
  }

  private static String[] names(Map<String, Integer> told) {
    return told.keySet().toArray(String[]::new);
  }

  /** A child that is ready to count. */
  private static ChildJvm counting(DirectoryFixture place, String name) {
    return start(place, name, EACH).expectLine("ready");
  }

  private static ChildJvm start(DirectoryFixture place, String name, int least) {
    return ChildJvm.start(StatusWorker.class, place.arguments(name, String.valueOf(least)));
  }

  private static void learn(Map<String, Integer> told, List<String> lines) {
    for (String line : lines) {
      int space = line.indexOf(' ');
      told.put(line.substring(0, space), Integer.parseInt(line.substring(space + 1)));
    }
  }

  private static ConcernValue status(NameService names) {
    return names.get(StatusWorker.ADDRESS, Concern.STATUS).orElseThrow();
  }

  private static Map<String, Integer> counts(ConcernValue status) {
    Map<String, Integer> counts = new HashMap<>();
    JsonNode node = status.payload().orElseThrow().toTree().path("counts");
    node.fieldNames().forEachRemaining(name -> counts.put(name, node.path(name).intValue()));
    return counts;
  }

  /** Sets the state among others who write. */
  private static void setState(NameService names, String state) {
    boolean done = false;
    while (!done) {
      ConcernValue now = status(names);
      Payload payload = now.payload().orElseThrow().with(json -> json.put("state", state));
      ConcernValue next = ConcernValue.of(now.watermark() + 1, payload);
      done = names.push(StatusWorker.ADDRESS, Concern.STATUS, Optional.of(now), next).updated();
    }
  }

  private void assertEveryDocumentIsWhole() throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve("ns@v2"))) {
      List<Path> documents = files.filter(file -> file.toString().endsWith(".json")).toList();
      assertThat(documents).isNotEmpty();
      for (Path document : documents) {
        assertThat(JSON.readTree(Files.readAllBytes(document)).isObject())
            .as("%s", document)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReaderNeverSeesHalfAWriteOfAnotherProcess_names59(DocumentLayout documentLayout)
      throws Exception {
    RandomGenerator random = Seed.of("aReaderNeverSeesHalfAWrite_names59").random();
    DirectoryFixture place = new DirectoryFixture(root, documentLayout);
    try (NameService names = place.names()) {
      names.create(HeadWorker.ADDRESS);
      NameRecord last = names.find(HeadWorker.ADDRESS).orElseThrow();
      for (int round = 0; round < 2; round++) {
        int lines = 1_000 + random.nextInt(500);
        try (ChildJvm writer = ChildJvm.start(HeadWorker.class, place.arguments())) {
          writer.expectLine("ready").send("go");
          for (int line = 0; line < lines; line++) {
            assertThat(writer.nextLine()).isPresent();
            last = assertWhole(last, names.find(HeadWorker.ADDRESS).orElseThrow());
            assertFilesAreWhole();
          }
          writer.kill();
        }
        last = assertWhole(last, names.find(HeadWorker.ADDRESS).orElseThrow());
      }
      assertThat(last.commit().t()).isPositive();
      assertThat(last.indexed().t()).isPositive();
    }
  }

  private static NameRecord assertWhole(NameRecord before, NameRecord now) {
    assertThat(now.commit()).isEqualTo(expected("c", now.commit().t()));
    assertThat(now.indexed()).isEqualTo(expected("i", now.indexed().t()));
    assertThat(now.commit().t()).isGreaterThanOrEqualTo(before.commit().t());
    assertThat(now.indexed().t()).isGreaterThanOrEqualTo(before.indexed().t());
    return now;
  }

  private static Ref expected(String kind, long t) {
    return t == 0 ? Ref.UNBORN : Ref.of(kind + t, t);
  }

  /** As a program finds them that knows nothing of us. */
  private void assertFilesAreWhole() throws IOException {
    for (String name : List.of("main", "main.head", "main.index")) {
      Path file = root.resolve("ns@v2/moving").resolve(name + ".json");
      try {
        JsonNode document = JSON.readTree(Files.readAllBytes(file));
        if (document.hasNonNull("f:commitCid")) {
          assertThat(document.path("f:commitCid").textValue())
              .isEqualTo("c" + document.path("f:t").longValue());
        }
      } catch (NoSuchFileException e) {
        // Which ones there are depends on the layout.
      }
    }
  }
}
