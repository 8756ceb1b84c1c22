// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of a bucket that are copied to files byte for byte, and files that are copied to keys. */
class PlainCopyTest {

  /** As records, remotes, ledgers and branches have them. */
  private static final List<String> KEYS =
      List.of(
          "ledgers/tenant%2Fcrm/branches/feature%2Fauth/meta/head.json",
          "ledgers/tenant%2Fcrm/meta/head.json",
          "ns-sync/remotes/origin/mydb%3Amain.json",
          "ns@v2/mydb/feature%2Fauth.index.json",
          "ns@v2/mydb/feature%2Fauth.json",
          "ns@v2/mydb/main.json",
          "ns@v2/mydb/x%2Eindex.json");

  private static final String KEY = "ns@v2/mydb/feature%2Fauth.json";
  private static final String BY_RULES = "ns@v2/mydb/feature%252Fauth.json";

  @TempDir private Path root;

  private ObjectStore open() {
    return new ObjectStore(DirectoryBackend.open(root, Durability.SYNC), Retry.standard());
  }

  private Path write(String path, String text, Instant when) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return Files.setLastModifiedTime(file, FileTime.from(when));
  }

  private static Optional<String> text(ObjectStore store, String key) {
    return store.get(key).map(object -> object.text());
  }

  private static List<String> keys(ObjectStore store, String prefix) {
    try (Stream<ObjectInfo> infos = store.list(prefix)) {
      return infos.map(ObjectInfo::key).toList();
    }
  }

  @Test
  void everyKeyOfABucketIsFoundInItsCopy() throws IOException {
    for (String key : KEYS) {
      write(key, "of " + key, Instant.ofEpochSecond(1_700_000_000));
    }
    try (ObjectStore store = open()) {
      assertThat(keys(store, "")).isEqualTo(KEYS);
      assertThat(keys(store, "ledgers/tenant%2Fcrm/branches/feature%2Fauth/")).hasSize(1);
      assertThat(keys(store, "ns@v2/mydb/feature%2F")).hasSize(2);
      for (String key : KEYS) {
        assertThat(text(store, key)).contains("of " + key);
        ETag etag = store.head(key).orElseThrow().etag();
        WriteResult next = store.put(key, Body.of("next"), Condition.ifMatch(etag));
        assertThat(next.written()).isTrue();
        assertThat(root.resolve(key)).hasContent("next");
      }
      assertThat(keys(store, "")).isEqualTo(KEYS);
    }
  }

  @Test
  void everyFileOfADirectoryIsNamedLikeItsKey() throws IOException {
    try (ObjectStore store = open()) {
      for (String key : KEYS) {
        store.put(key, Body.of("x"), Condition.ifAbsent());
      }
    }
    try (Stream<Path> files = Files.walk(root)) {
      assertThat(
              files
                  .filter(Files::isRegularFile)
                  .map(file -> root.relativize(file).toString())
                  .filter(path -> !path.startsWith(".tidemark")))
          .containsExactlyInAnyOrderElementsOf(KEYS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void aFileThatWasNamedByTheRulesStaysWhereItIs(int others) throws IOException {
    Path file = write(BY_RULES, "old", Instant.ofEpochSecond(1_700_000_000));
    try (ObjectStore store = open()) {
      for (int i = 0; i < others; i++) {
        store.put("other.json", Body.of("so that the log is in use"), Condition.none());
      }
      assertThat(text(store, KEY)).contains("old");
      assertThat(keys(store, "ns@v2/")).containsExactly(KEY);
      assertThat(store.put(KEY, Body.of("new"), Condition.ifAbsent()).written()).isFalse();
      assertThat(store.put(KEY, Body.of("new"), Condition.none()).written()).isTrue();
      assertThat(file).hasContent("new");
      assertThat(root.resolve(KEY)).doesNotExist();
      store.delete(KEY);
      assertThat(keys(store, "ns@v2/")).isEmpty();
      store.put(KEY, Body.of("anew"), Condition.ifAbsent());
      assertThat(root.resolve(KEY)).hasContent("anew");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void ofTwoFilesOfAKeyTheNewerOneCounts(int later) throws IOException {
    Instant then = Instant.ofEpochSecond(1_700_000_000);
    write(BY_RULES, "by the rules", then);
    write(KEY, "plain", then.plusSeconds(later));
    try (ObjectStore store = open()) {
      assertThat(text(store, KEY)).contains(later > 0 ? "plain" : "by the rules");
      assertThat(keys(store, "")).containsExactly(KEY);
      store.delete(KEY);
      assertThat(keys(store, "")).isEmpty();
      assertThat(store.get(KEY)).isEmpty();
    }
  }

  @Test
  void aDirectoryInBothFormsIsListedAsOne() throws IOException {
    Instant then = Instant.ofEpochSecond(1_700_000_000);
    write("ledgers/tenant%252Fcrm/meta/b.json", "old", then);
    write("ledgers/tenant%252Fcrm/a/x.json", "old", then);
    write("ledgers/tenant%2Fcrm/meta/a.json", "copied", then);
    write("ledgers/tenant%2Fcrm/meta/c.json", "copied", then);
    try (ObjectStore store = open()) {
      List<String> all =
          List.of(
              "ledgers/tenant%2Fcrm/a/x.json",
              "ledgers/tenant%2Fcrm/meta/a.json",
              "ledgers/tenant%2Fcrm/meta/b.json",
              "ledgers/tenant%2Fcrm/meta/c.json");
      assertThat(keys(store, "")).isEqualTo(all);
      assertThat(keys(store, "ledgers/tenant%2Fcrm/")).isEqualTo(all);
      assertThat(store.list(Listing.all("ledgers/").after(all.get(1)))).hasSize(2);
      assertThat(store.list(Listing.children("ledgers/")))
          .containsExactly(new Listing.Entry.Group("ledgers/tenant%2Fcrm/"));
      assertThat(store.list(Listing.children("ledgers/tenant%2Fcrm/"))).hasSize(2);
      all.forEach(store::delete);
      assertThat(root.resolve("ledgers")).doesNotExist();
    }
  }
}
