// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.directory.HostOps.LogLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys with a percent sign, whose file can be in plain form or in the one by the rules. */
class KeyFileFormsTest {

  private static final Instant THEN = Instant.ofEpochSecond(1_700_000_000);
  private static final String KEY = "ns@v2/my%2Fdb/feature%2Fauth.json";
  private static final String BY_RULES = "ns@v2/my%252Fdb/feature%252Fauth.json";

  @TempDir private Path root;

  private static HookedHostOps machine(int unlogged) {
    return new HookedHostOps("boot", new LogLimits(unlogged, 64 << 10, 1000, 4));
  }

  private ObjectStore open(HostOps hostOps) {
    return new ObjectStore(
        DirectoryBackend.open(root, Durability.SYNC, Clock.systemUTC(), hostOps), Retry.standard());
  }

  private Path write(String path, String text, Instant when) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return Files.setLastModifiedTime(file, FileTime.from(when));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000})
  void theFileThatDoesNotCountIsDurablyGoneBeforeTheOther(int unlogged) throws IOException {
    Path older = write(BY_RULES, "older", THEN);
    Path newer = write(KEY, "newer", THEN.plusSeconds(1));
    HookedHostOps machine = machine(unlogged);
    try (ObjectStore store = open(machine)) {
      machine.syncHook(
          path -> {
            if (path.equals(root.resolve("ns@v2"))) {
              throw new IOException("the disk is broken");
            }
          });
      assertThatThrownBy(() -> store.delete(KEY))
          .isInstanceOf(StoreFailureException.class)
          .hasMessageContaining("the disk is broken");
      assertThat(older).doesNotExist();
      assertThat(store.get(KEY).orElseThrow().text()).isEqualTo("newer");
      machine.syncHook(path -> {});
      store.delete(KEY);
      assertThat(newer).doesNotExist();
      assertThat(store.get(KEY)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {KEY, BY_RULES})
  void theRepeatedDeleteSyncsTheDirectoriesOfBothForms(String form) throws IOException {
    write(form, "x", THEN);
    write("ns@v2/my%2Fdb/other.json", "x", THEN);
    write("ns@v2/my%252Fdb/other.json", "x", THEN);
    HookedHostOps machine = machine(1_000);
    List<Path> synced = new ArrayList<>();
    try (ObjectStore store = open(machine)) {
      store.delete(KEY);
      machine.syncHook(synced::add);
      store.delete(KEY);
    }
    assertThat(synced).contains(root.resolve("ns@v2/my%2Fdb"), root.resolve("ns@v2/my%252Fdb"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000})
  void aWriteGoesToTheFormThatCountsOnceTheKeyIsLocked(int unlogged) throws Exception {
    HookedHostOps machine = machine(unlogged);
    try (ObjectStore store = open(machine)) {
      store.put("first.json", Body.of("x"), Condition.none());
      WriteCoordinator room = WriteCoordinator.open(root, machine);
      Thread writer = new Thread(() -> store.put(KEY, Body.of("new"), Condition.none()));
      Path file;
      try (WriteCoordinator.KeyLock keyLock = room.lock(KEY)) {
        writer.start();
        while (writer.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
        file = write(BY_RULES, "old", THEN);
      }
      writer.join();
      room.close();
      assertThat(file).hasContent("new");
      assertThat(root.resolve(KEY)).doesNotExist();
    }
  }
}
