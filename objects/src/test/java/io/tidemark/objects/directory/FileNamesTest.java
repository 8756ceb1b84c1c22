// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.directory.FileNames.Decoded;
import io.tidemark.objects.directory.FileNames.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FileNamesTest {

  @Test
  void plainKeysKeepTheirNames() {
    assertThat(FileNames.fileOf("meta/head.json")).hasToString("meta/head.json");
    assertThat(FileNames.fileOf("commits/123-a1b2c3/entities/Customer.parquet"))
        .hasToString("commits/123-a1b2c3/entities/Customer.parquet");
    assertThat(FileNames.fileOf("ns@v2/my.org/db/main.json"))
        .hasToString("ns@v2/my.org/db/main.json");
  }

  @Test
  void aFileNeverHasTheNameOfADirectory() {
    assertThat(FileNames.fileOf("a")).hasToString("a%");
    assertThat(FileNames.fileOf("a/b.json")).hasToString("a/b.json");
    assertThat(FileNames.fileOf("a.json")).hasToString("a.json");
    assertThat(FileNames.fileOf("a.json/b.json")).hasToString("a.json%/b.json");
    assertThat(FileNames.fileOf("a%")).hasToString("a%25%");
  }

  @Test
  void whatCouldBeMisreadIsEscaped() {
    assertThat(FileNames.fileOf(".tidemark/lock.json")).hasToString("%2Etidemark/lock.json");
    assertThat(FileNames.fileOf("é/😀.json")).hasToString("%C3%A9/%F0%9F%98%80.json");
    assertThat(FileNames.fileOf("100%.json")).hasToString("100%25.json");
    assertThat(FileNames.fileOf("%2F.json")).hasToString("%252F.json");
    assertThat(FileNames.fileOf("a b:c\\d.json")).hasToString("a b:c\\d.json");
  }

  @Test
  void aLongSegmentIsCutIntoDirectories() {
    String segment = "x".repeat(450);
    assertThat(FileNames.fileOf(segment + "/y.json"))
        .isEqualTo(
            Path.of("x".repeat(200) + "%+", "x".repeat(200) + "%+", "x".repeat(50), "y.json"));
    assertThat(FileNames.fileOf("x".repeat(200))).hasToString("x".repeat(200) + "%");
    assertThat(FileNames.fileOf("é".repeat(34)))
        .as("33 characters of 6 bytes fit")
        .isEqualTo(Path.of("%C3%A9".repeat(33) + "%+", "%C3%A9%"));
  }

  @Test
  void foreignNamesAreNoObjects() {
    for (String name :
        new String[] {
          ".tidemark",
          "README",
          "%41.json",
          "%e9.json",
          "%2",
          "a%zz.json",
          "%FF.json",
          "é.json",
          "%",
          "%+",
          ".json",
          "",
          "a%+%"
        }) {
      assertThat(FileNames.decode("", name).filter(d -> d.kind() == Kind.OBJECT))
          .as("the file %s", name)
          .isEmpty();
    }
    assertThat(FileNames.decode("short", "rest.json")).as("a cut that wasn't needed").isEmpty();
  }

  /**
   * Every key comes back from its file's path, so no two keys share a file, nor with a directory.
   */
  @Test
  void everyKeyComesBackFromItsPath() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    Map<Path, String> owners = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String key = randomKey(random);
      Path path = FileNames.fileOf(key);
      assertThat(owners.merge(path, key, (a, b) -> a)).as("seed %d", seed).isEqualTo(key);
      for (Path name : path) {
        assertThat(name.toString().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(256);
      }
      assertThat(decode(path))
          .as("%s, seed %d", path, seed)
          .contains(new Decoded(Kind.OBJECT, key));
    }
  }

  @Test
  void noPlainFormIsThatOfAnotherKey() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    Map<Path, String> owners = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String key = randomKey(random);
      for (Path path : List.of(FileNames.fileOf(key), FileNames.plainFileOf(key))) {
        assertThat(owners.merge(path, key, (a, b) -> a)).as("seed %d", seed).isEqualTo(key);
      }
      assertThat(decodePlain(FileNames.plainFileOf(key)))
          .as("%s, seed %d", key, seed)
          .contains(new Decoded(Kind.OBJECT, key));
    }
  }

  private static Optional<Decoded> decodePlain(Path path) {
    Optional<Decoded> decoded = Optional.of(new Decoded(Kind.DIRECTORY, ""));
    for (Path name : path) {
      decoded =
          decoded
              .filter(d -> d.kind() != Kind.OBJECT)
              .flatMap(
                  d ->
                      FileNames.decode(d.text(), name.toString())
                          .or(() -> FileNames.decodePlain(d.text(), name.toString())));
    }
    return decoded;
  }

  private static Optional<Decoded> decode(Path path) {
    Optional<Decoded> decoded = Optional.of(new Decoded(Kind.DIRECTORY, ""));
    for (Path name : path) {
      decoded =
          decoded
              .filter(d -> d.kind() != Kind.OBJECT)
              .flatMap(d -> FileNames.decode(d.text(), name.toString()));
    }
    return decoded;
  }

  private static String randomKey(Random random) {
    String[] pieces = {
      "a",
      "b",
      "%",
      "%+",
      "+",
      ".",
      "..x",
      ".json",
      ".parquet",
      "é",
      "😀",
      "\uffee",
      "25",
      "%25",
      "%2E",
      " ",
      "x".repeat(70),
      "é".repeat(20)
    };
    StringBuilder key = new StringBuilder();
    int segments = 1 + random.nextInt(3);
    for (int i = 0; i < segments; i++) {
      StringBuilder segment = new StringBuilder();
      int length = 1 + random.nextInt(6);
      for (int j = 0; j < length; j++) {
        segment.append(pieces[random.nextInt(pieces.length)]);
      }
      boolean dots = segment.toString().equals(".") || segment.toString().equals("..");
      key.append(i == 0 ? "" : "/").append(dots ? "dots" : segment);
    }
    return key.toString();
  }
}
