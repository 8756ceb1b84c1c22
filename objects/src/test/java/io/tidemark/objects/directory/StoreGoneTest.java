// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.WriteResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory that is unmounted, deleted or replaced while a process has it open. */
class StoreGoneTest {

  /** More than are synced one by one, so that the write log is in use. */
  private static final int MANY = 40;

  private static final String GONE = "was there and is gone";

  @TempDir Path parent;
  private Path root;
  private Path away;

  @BeforeEach
  void choose() {
    root = parent.resolve("store");
    away = parent.resolve("away");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, MANY})
  void everyCallSaysSoAndWorksAgainWhenTheDirectoryIsBack(int writes) throws IOException {
    try (ObjectStore store = open()) {
      ETag etag = write(store, writes);
      Files.move(root, away);
      requireAllGone(store, etag);
      assertThat(root).as("no call makes it anew").doesNotExist();
      Files.move(away, root);
      assertThat(store.get("a.json").orElseThrow().etag()).isEqualTo(etag);
      assertThat(store.get("none.json")).isEmpty();
      assertThat(store.put("b.json", Body.of("x"), Condition.ifAbsent()).written()).isTrue();
      assertThat(store.list("").map(ObjectInfo::key)).contains("a.json", "b.json");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, MANY})
  void anUnmountedDiskLeavesItsMountPointWhichIsNoEmptyStore(int writes) throws IOException {
    try (ObjectStore store = open()) {
      ETag etag = write(store, writes);
      Files.move(root, away);
      Files.createDirectory(root);
      requireAllGone(store, etag);
      assertThat(root).isEmptyDirectory();
    }
  }

  @Test
  void aReaderThatHasOnlyFoundWhatIsThereKnowsTheStoreToo() throws IOException {
    try (ObjectStore writer = open()) {
      write(writer, 1);
    }
    try (ObjectStore reader = open()) {
      assertThat(reader.get("a.json")).isPresent();
      Files.move(root, away);
      requireGone(() -> reader.get("a.json"));
    }
  }

  @Test
  void theDirectoryOfAnotherProgramIsKnownByItsEntries() throws IOException {
    Files.createDirectory(root);
    try (ObjectStore store = open()) {
      assertThat(store.list("")).as("an empty directory is an empty store").isEmpty();
      Path file = Files.writeString(root.resolve("a.json"), "x");
      assertThat(store.get("a.json")).isPresent();
      Files.delete(file);
      for (int i = 0; i < 2; i++) {
        requireGone(() -> store.get("a.json"));
        requireGone(() -> store.list("").toList());
        requireGone(() -> store.put("b.json", Body.of("x"), Condition.none()));
        assertThat(store.exists()).isFalse();
        Files.deleteIfExists(root);
      }
      assertThat(root).doesNotExist();
      Files.createDirectory(root);
      Files.writeString(file, "x");
      assertThat(store.get("a.json")).isPresent();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, MANY})
  void aWriterStopsForGoodWhenTheDirectoryIsReplaced(int writes) throws IOException {
    try (ObjectStore store = open()) {
      ETag etag = write(store, writes);
      Files.move(root, away);
      copy(away, root);
      requireAllGone(store, etag, "was replaced");
      Files.move(root, parent.resolve("copy"));
      Files.move(away, root);
      requireAllGone(store, etag, "was replaced");
    }
    try (ObjectStore store = open()) {
      assertThat(store.get("a.json")).isPresent();
      write(store, writes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, MANY})
  void aWriterStopsForGoodWhenItsLockFileIsDeletedAndMadeByAnother(int writes) throws IOException {
    try (ObjectStore store = open()) {
      ETag etag = write(store, writes);
      Files.move(root.resolve(".tidemark"), away);
      requireGone(() -> store.get("none.json"), ".tidemark/lock was deleted");
      requireGone(() -> store.list("").toList(), ".tidemark/lock was deleted");
      for (int i = 0; i < MANY; i++) {
        requireGone(
            () -> store.put("a.json", Body.of("x"), Condition.none()),
            ".tidemark/lock was deleted");
      }
      requireGone(() -> store.delete("a.json"), ".tidemark/lock was deleted");
      assertThat(root.resolve(".tidemark")).as("no call makes it anew").doesNotExist();
      try (ObjectStore other = open()) {
        write(other, writes);
        requireAllGone(store, etag, "was replaced");
        write(other, writes);
      }
      requireAllGone(store, etag, "was replaced");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, MANY})
  void aWriteWhoseDirectoryIsReplacedBeforeItHasTheLockIsRefused(int writes) throws IOException {
    try (ObjectStore store = open()) {
      write(store, writes);
      Path copy = parent.resolve("copy");
      copy(root, copy);
      Body swapping =
          Body.ofStream(
              1,
              () -> {
                Files.move(root, away);
                Files.move(copy, root);
                return new ByteArrayInputStream(new byte[1]);
              });
      requireGone(
          () -> store.put("a.json", swapping, Condition.ifMatch(new ETag("other"))),
          "was replaced");
      requireGone(() -> store.get("a.json"), "was replaced");
    }
  }

  @Test
  void aReaderGoesOnInADirectoryThatWasReplacedByACopy() throws IOException {
    try (ObjectStore writer = open()) {
      write(writer, 1);
    }
    try (ObjectStore reader = open()) {
      assertThat(reader.get("a.json")).isPresent();
      Files.move(root, away);
      copy(away, root);
      assertThat(reader.get("a.json")).isPresent();
      assertThat(reader.get("none.json")).isEmpty();
      assertThat(reader.put("b.json", Body.of("x"), Condition.none()).written()).isTrue();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  @Test
  void aDirectoryThatNeverWasIsAnEmptyStore() {
    try (ObjectStore store = open()) {
      assertThat(store.exists()).isFalse();
      assertThat(store.get("a.json")).isEmpty();
      assertThat(store.list("")).isEmpty();
      assertThat(store.get("a.json")).isEmpty();
      write(store, 1);
      assertThat(store.exists()).isTrue();
    }
  }

  private ObjectStore open() {
    return new ObjectStore(DirectoryBackend.open(root, Durability.SYNC), Retry.standard());
  }

  private static ETag write(ObjectStore store, int writes) {
    ETag last = new ETag("none");
    for (int i = 0; i < writes; i++) {
      WriteResult result = store.put("a.json", Body.of("version " + i), Condition.none());
      last = ((WriteResult.Written) result).etag();
    }
    return last;
  }

  private static void requireAllGone(ObjectStore store, ETag known) {
    requireAllGone(store, known, GONE);
  }

  private static void requireAllGone(ObjectStore store, ETag known, String why) {
    requireGone(() -> store.openStream("none.json"), why);
    requireGone(() -> store.get("a.json"), why);
    requireGone(() -> store.getIfChanged("a.json", known), why);
    requireGone(() -> store.head("a.json"), why);
    requireGone(() -> store.list("").toList(), why);
    requireGone(() -> store.put("b.json", Body.of("x"), Condition.ifAbsent()), why);
    requireGone(() -> store.put("a.json", Body.of("x"), Condition.ifMatch(known)), why);
    for (int i = 0; i < MANY; i++) {
      requireGone(() -> store.put("a.json", Body.of("x"), Condition.none()), why);
    }
    requireGone(() -> store.delete("a.json"), why);
    requireGone(() -> store.deleteIfMatch("a.json", known), why);
  }

  private static void requireGone(ThrowingCallable call) {
    requireGone(call, GONE);
  }

  private static void requireGone(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreGoneException.class, e -> assertThat(e.code()).isEqualTo("unavailable"))
        .hasMessageContaining(why)
        .hasMessageContaining(why.equals(GONE) ? "mount or restore" : "start them again");
  }
}
