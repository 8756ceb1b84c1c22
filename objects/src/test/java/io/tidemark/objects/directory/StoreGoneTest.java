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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory that was there and is gone, as when its disk is unmounted under a process. */
class StoreGoneTest {

  /** More than are synced one by one, so that the write log is in use. */
  private static final int MANY = 40;

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
  void theDirectoryOfAnotherProgramIsKnownByItself() throws IOException {
    Files.createDirectory(root);
    Files.writeString(root.resolve("a.json"), "x");
    try (ObjectStore store = open()) {
      assertThat(store.list("")).hasSize(1);
      Files.delete(root.resolve("a.json"));
      assertThat(store.list("")).isEmpty();
      Files.delete(root);
      requireGone(() -> store.list("").toList());
      requireGone(() -> store.put("b.json", Body.of("x"), Condition.none()));
      assertThat(root).doesNotExist();
    }
  }

  @Test
  void aDirectoryThatNeverWasIsAnEmptyStore() {
    try (ObjectStore store = open()) {
      assertThat(store.isThere()).isFalse();
      assertThat(store.get("a.json")).isEmpty();
      assertThat(store.list("")).isEmpty();
      assertThat(store.get("a.json")).isEmpty();
      write(store, 1);
      assertThat(store.isThere()).isTrue();
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
    requireGone(() -> store.get("a.json"));
    requireGone(() -> store.getIfChanged("a.json", known));
    requireGone(() -> store.openStream("none.json"));
    requireGone(() -> store.head("a.json"));
    requireGone(() -> store.list("").toList());
    requireGone(() -> store.put("b.json", Body.of("x"), Condition.ifAbsent()));
    requireGone(() -> store.put("a.json", Body.of("x"), Condition.ifMatch(known)));
    for (int i = 0; i < MANY; i++) {
      requireGone(() -> store.put("a.json", Body.of("x"), Condition.none()));
    }
    requireGone(() -> store.delete("a.json"));
    requireGone(() -> store.deleteIfMatch("a.json", known));
  }

  private static void requireGone(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreGoneException.class, e -> assertThat(e.code()).isEqualTo("unavailable"))
        .hasMessageContaining("was there and is gone")
        .hasMessageContaining("mount or restore");
  }
}
