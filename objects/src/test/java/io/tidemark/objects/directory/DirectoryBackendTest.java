// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StorageFullException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.WriteResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is true of the directory only; what is true of every store is in the contract suite. */
class DirectoryBackendTest {

  @TempDir Path root;

  @Test
  void anObjectIsAPlainFile() throws IOException {
    ObjectStore store = open(root, Durability.SYNC);
    store.put("meta/head.json", Body.of("{}"), Condition.ifAbsent());
    assertThat(root.resolve("meta/head.json")).hasContent("{}");
    assertThat(filesBelow(root))
        .as("and the lock file is all there is besides")
        .containsExactly(".tidemark/lock", "meta/head.json");
  }

  @Test
  void readingNeitherMakesNorNeedsAnythingWritable() throws IOException {
    Path missing = root.resolve("not/there");
    ObjectStore store = open(missing, Durability.SYNC);
    assertThat(store.get("a")).isEmpty();
    assertThat(store.list("")).isEmpty();
    assertThat(missing).doesNotExist();
  }

  @Test
  void emptyDirectoriesGoWithTheirLastObject() {
    ObjectStore store = open(root, Durability.SYNC);
    store.put("a/b/c/d.json", Body.of("x"), Condition.none());
    store.put("a/e.json", Body.of("x"), Condition.none());
    store.delete("a/b/c/d.json");
    assertThat(root.resolve("a/b")).doesNotExist();
    assertThat(root.resolve("a/e.json")).exists();
    store.delete("a/e.json");
    assertThat(root.resolve("a")).doesNotExist();
  }

  @Test
  void aDirectoryThatIsRemovedWhileItIsMadeStopsNoWriter() throws Exception {
    ObjectStore store = open(root, Durability.PAGE_CACHE);
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    List<Thread> writers =
        Stream.of("a/b/1", "a/b/2", "a/b/3", "a/b/4")
            .map(key -> new Thread(() -> writeAndDelete(store, key, failure)))
            .toList();
    writers.forEach(Thread::start);
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(failure).hasValue(null);
  }

  private static void writeAndDelete(
      ObjectStore store, String key, AtomicReference<RuntimeException> failure) {
    for (int i = 0; i < 10_000 && failure.get() == null; i++) {
      try {
        store.put(key, Body.of("x"), Condition.none());
        store.delete(key);
      } catch (RuntimeException e) {
        failure.set(e);
      }
    }
  }

  @Test
  void theLeftoversOfAKilledWriterAreNeverListedAndSweptByTheNext() throws IOException {
    Path temporary = Files.createDirectories(root.resolve(".tidemark/tmp"));
    Path leftover = Files.writeString(temporary.resolve("1a2b3c-7"), "half of an obj");
    Path foreign = Files.writeString(temporary.resolve("notes"), "not ours to delete");
    try (ObjectStore store = open(root, Durability.SYNC)) {
      assertThat(store.list("")).isEmpty();
      store.put("a", Body.of("x"), Condition.none());
      assertThat(leftover).doesNotExist();
      assertThat(foreign).exists();
      assertThat(store.list("").map(ObjectInfo::key)).containsExactly("a");
    }
  }

  @Test
  void theTemporaryFilesOfALivingWriterAreLeftAlone() throws IOException {
    try (ObjectStore first = open(root, Durability.PAGE_CACHE)) {
      CountingStream slow = new CountingStream(() -> open(root, Durability.SYNC));
      first.put("big", Body.ofStream(3, slow::stream), Condition.none());
      assertThat(slow.opened).hasValue(1);
      assertThat(first.get("big").orElseThrow().text()).isEqualTo("abc");
    }
  }

  /** While its bytes are read, another store on the same directory starts to write, and sweeps. */
  private record CountingStream(Supplier<ObjectStore> other, AtomicInteger opened) {
    CountingStream(Supplier<ObjectStore> other) {
      this(other, new AtomicInteger());
    }

    InputStream stream() {
      opened.incrementAndGet();
      try (ObjectStore store = other.get()) {
        store.put("other", Body.of("x"), Condition.none());
      }
      return new ByteArrayInputStream(new byte[] {'a', 'b', 'c'});
    }
  }

  @Test
  void anETagNeverComesTwiceEvenWhenTheClockStandsStillOrGoesBack() {
    Instant[] now = {Instant.parse("2026-11-15T12:00:00Z")};
    Clock clock = new MovableClock(now);
    ObjectStore store =
        new ObjectStore(DirectoryBackend.open(root, Durability.SYNC, clock), Retry.standard());
    ETag first = write(store, "same", Condition.ifAbsent());
    ETag second = write(store, "same", Condition.ifMatch(first));
    now[0] = now[0].minusSeconds(3600);
    ETag third = write(store, "same", Condition.ifMatch(second));
    assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
    assertThat(store.put("a", Body.of("same"), Condition.ifMatch(first)))
        .isEqualTo(new WriteResult.PreconditionFailed(Optional.of(third)));
  }

  @Test
  void anETagDoesNotComeBackWithAnObjectThatWasDeleted() {
    Clock still = Clock.fixed(Instant.parse("2026-11-15T12:00:00Z"), ZoneOffset.UTC);
    ObjectStore store =
        new ObjectStore(DirectoryBackend.open(root, Durability.SYNC, still), Retry.standard());
    ETag first = write(store, "old", Condition.ifAbsent());
    store.delete("a");
    ETag second = write(store, "new", Condition.ifAbsent());
    assertThat(store.put("a", Body.of("mine"), Condition.ifMatch(first)))
        .isEqualTo(new WriteResult.PreconditionFailed(Optional.of(second)));
  }

  private static ETag write(ObjectStore store, String text, Condition condition) {
    return ((WriteResult.Written) store.put("a", Body.of(text), condition)).etag();
  }

  private static final class MovableClock extends Clock {
    private final Instant[] now;

    MovableClock(Instant[] now) {
      this.now = now;
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now[0];
    }
  }

  @Test
  void aDirectoryNamedLikeAnObjectIsNone() throws IOException {
    ObjectStore store = open(root, Durability.PAGE_CACHE);
    Files.createDirectory(root.resolve("a.json"));
    assertThat(store.list("")).isEmpty();
    assertThat(store.head("a.json")).isEmpty();
    assertThat(store.get("a.json")).isEmpty();
    assertThatThrownBy(() -> store.put("a.json", Body.of("x"), Condition.ifAbsent()))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("a.json");
  }

  @Test
  void anETagThatWasPutOffDoesntComeAgainAfterADeleteEither() {
    Clock still = Clock.fixed(Instant.parse("2026-11-15T12:00:00Z"), ZoneOffset.UTC);
    DirectoryBackend backend = DirectoryBackend.open(root, Durability.PAGE_CACHE, still);
    Body overtaken =
        Body.ofStream(
            1,
            () -> {
              backend.put("a", Body.of("1"), Condition.none(), "");
              return new ByteArrayInputStream(new byte[] {'2'});
            });
    WriteResult second = backend.put("a", overtaken, Condition.none(), "");
    backend.delete("a", Optional.empty());
    assertThat(backend.put("a", Body.of("3"), Condition.ifAbsent(), "")).isNotEqualTo(second);
  }

  @Test
  void aFileReplacedByAnotherProgramIsANewVersion() throws IOException {
    ObjectStore store = open(root, Durability.SYNC);
    ETag etag = write(store, "ours", Condition.ifAbsent());
    Path file = root.resolve("a%");
    Files.writeString(root.resolve("new"), "them");
    Files.setLastModifiedTime(root.resolve("new"), FileTime.from(Instant.now().plusSeconds(5)));
    Files.move(root.resolve("new"), file, StandardCopyOption.REPLACE_EXISTING);
    StoredObject found = store.get("a").orElseThrow();
    assertThat(found.text()).isEqualTo("them");
    assertThat(found.etag()).isNotEqualTo(etag);
    assertThat(write(store, "again", Condition.ifMatch(found.etag()))).isNotEqualTo(found.etag());
  }

  @Test
  void twoStoresOfOneProcessOnOneDirectoryShareItsLocks() throws Exception {
    ObjectStore one = open(root, Durability.PAGE_CACHE);
    Path alias = Files.createSymbolicLink(root.resolveSibling(root.getFileName() + "-alias"), root);
    ObjectStore two = open(alias, Durability.PAGE_CACHE);
    write(one, "x", Condition.none());
    write(two, "x", Condition.none());
    one.close();
    // Closing a channel on the lock file would have given up the locks of both.
    ETag etag = write(two, "y", Condition.none());
    assertThat(two.get("a").orElseThrow().etag()).isEqualTo(etag);
    two.close();
    Files.delete(alias);
  }

  /** An interrupt closes the channel it hits; the lock file's must not be hit. */
  @Test
  void interruptedWritersNeitherLoseLocksNorAcknowledgedWrites() throws Exception {
    ObjectStore store = open(root, Durability.SYNC);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger acknowledged = new AtomicInteger();
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; !stop.get(); i++) {
                if (store.put("a", Body.of("" + i), Condition.none()).written()) {
                  acknowledged.set(i);
                }
              }
            });
    writer.start();
    while (acknowledged.get() < 50) {
      writer.interrupt();
      Thread.onSpinWait();
    }
    stop.set(true);
    writer.join();
    assertThat(store.get("a").orElseThrow().text()).isEqualTo("" + acknowledged.get());
    assertThat(store.put("b", Body.of("x"), Condition.ifAbsent()).written()).isTrue();
  }

  @Test
  void aStoreThatIsClosedWhileOthersWriteEndsNoWriteHalfWay() throws Exception {
    for (int round = 0; round < 20; round++) {
      ObjectStore store = open(root, Durability.PAGE_CACHE);
      AtomicInteger acknowledged = new AtomicInteger(-1);
      AtomicReference<String> failure = new AtomicReference<>("");
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int i = 0; ; i++) {
                    store.put("a", Body.of("" + i), Condition.none());
                    acknowledged.set(i);
                  }
                } catch (StoreFailureException e) {
                  failure.set(e.getMessage());
                }
              });
      writer.start();
      while (acknowledged.get() < 5) {
        Thread.onSpinWait();
      }
      store.close();
      writer.join();
      assertThat(failure.get()).contains("the store has been closed; open it again");
      assertThat(open(root, Durability.PAGE_CACHE).get("a").orElseThrow().text())
          .as("what failed was not written")
          .isEqualTo("" + acknowledged.get());
    }
  }

  /** On tmpfs, where a replaced name moves to the end of its directory; other disks are kinder. */
  @Test
  void aLargeDirectoryIsListedWholeWhileItsFilesAreReplaced() throws Exception {
    Path memory = Path.of("/dev/shm");
    Path place = Files.isWritable(memory) ? Files.createTempDirectory(memory, "tidemark") : root;
    int keys = 3_000;
    try (ObjectStore store = open(place, Durability.PAGE_CACHE)) {
      for (int i = 0; i < keys; i++) {
        store.put("d/" + i + ".json", Body.of("x"), Condition.none());
      }
      AtomicBoolean stop = new AtomicBoolean();
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; !stop.get(); i = (i + 1) % keys) {
                  store.put("d/" + i + ".json", Body.of("y"), Condition.none());
                }
              });
      writer.start();
      try {
        for (int i = 0; i < 20; i++) {
          assertThat(store.list("d/").count()).isEqualTo(keys);
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    } finally {
      if (!place.equals(root)) {
        run("rm", "-r", place.toString());
      }
    }
  }

  @Test
  void aDirectoryTooLargeToBeKeptIsListedInParts() throws IOException {
    int keys = DirectoryWalk.KEPT_AT_ONCE * 2 + 10;
    Path flat = Files.createDirectory(root.resolve("flat"));
    for (long i = 0; i < keys; i++) {
      Files.createFile(flat.resolve(String.format("%06d.json", (i * 7919) % keys)));
    }
    AtomicInteger next = new AtomicInteger();
    try (Stream<ObjectInfo> objects = open(root, Durability.PAGE_CACHE).list("flat/")) {
      objects.forEach(
          object ->
              assertThat(object.key())
                  .isEqualTo(String.format("flat/%06d.json", next.getAndIncrement())));
    }
    assertThat(next).hasValue(keys);
  }

  @Test
  void aDirectoryThatHasNotChangedIsNotReadForNewsAgain() throws IOException {
    ObjectStore store = open(root, Durability.PAGE_CACHE);
    ObjectStore other = open(root, Durability.PAGE_CACHE);
    Listing news = Listing.all("d/").after("d/5.json");
    for (int i = 0; i < 9; i++) {
      store.put("d/" + i + "/x.json", Body.of("below"), Condition.none());
    }
    store.put("d/5.json", Body.of("known"), Condition.none());
    Path directory = root.resolve("d");
    FileTime old = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    Files.setLastModifiedTime(directory, old);
    assertThat(names(store, news))
        .containsExactly("d/5/x.json", "d/6/x.json", "d/7/x.json", "d/8/x.json");
    for (int i = 5; i < 9; i++) {
      store.delete("d/" + i + "/x.json");
      Files.deleteIfExists(directory.resolve(i + ""));
    }
    Files.setLastModifiedTime(directory, old);
    assertThat(names(store, news)).isEmpty();

    Files.createFile(directory.resolve("6.json"));
    Files.setLastModifiedTime(directory, old);
    assertThat(names(store, news)).as("as it has the same time it isn't read").isEmpty();
    other.put("d/7.json", Body.of("new"), Condition.none());
    assertThat(names(store, news)).containsExactly("d/6.json", "d/7.json");
    other.delete("d/6.json");
    other.delete("d/7.json");
    assertThat(names(store, news)).isEmpty();
    other.put("d/9/x.json", Body.of("below"), Condition.none());
    assertThat(names(store, news)).containsExactly("d/9/x.json");
  }

  private static List<String> names(ObjectStore store, Listing listing) {
    try (Stream<Listing.Entry> entries = store.list(listing)) {
      return entries.map(Listing.Entry::name).toList();
    }
  }

  @Test
  void aFullDiskCanBeFreed() throws Exception {
    assumeTrue(isRoot(), "a small file system can be mounted by root only");
    run("mount", "-t", "tmpfs", "-o", "nr_inodes=14", "tmpfs", root.toString());
    try {
      try (ObjectStore full = open(root, Durability.SYNC)) {
        assertThatThrownBy(
                () -> {
                  for (int i = 0; ; i++) {
                    full.put(i + ".json", Body.of("x"), Condition.none());
                  }
                })
            .isInstanceOf(StorageFullException.class);
      }
      try (ObjectStore fresh = open(root, Durability.SYNC)) {
        fresh.delete("0.json");
        fresh.delete("1.json");
        assertThat(fresh.put("new.json", Body.of("x"), Condition.none()).written()).isTrue();
      }
    } finally {
      run("umount", root.toString());
    }
  }

  @Test
  void aBodyOfAnotherLengthThanAnnouncedWritesNothing() throws IOException {
    ObjectStore store = open(root, Durability.SYNC);
    Body lying = Body.ofStream(5, () -> new ByteArrayInputStream(new byte[4]));
    assertThatThrownBy(() -> store.put("a", lying, Condition.none()))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("4 bytes came, 5 were announced");
    assertThat(filesBelow(root)).containsExactly(".tidemark/lock");
  }

  @Test
  void aRootThatIsAFileIsRefused() throws IOException {
    Path file = Files.writeString(root.resolve("file"), "x");
    assertThatThrownBy(() -> ObjectStore.open(file.toString()))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessage(file + " is a file, so no store can be in " + file + "; name a directory");
    assertThatThrownBy(() -> ObjectStore.open(file.resolve("below").toString()))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining(file + " is a file");
  }

  @Test
  void aLocationOfTheWrongFormIsRefused() {
    assertThatThrownBy(() -> ObjectStore.open("file://tmp/x"))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining("three slashes");
    assertThatThrownBy(() -> ObjectStore.open("file:relative"))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining("three slashes");
    assertThatThrownBy(() -> ObjectStore.open(root.toUri() + "?durability=none"))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining("?durability=page-cache");
    try (ObjectStore store = ObjectStore.open(root.toUri() + "?durability=page-cache")) {
      assertThat(store.put("a", Body.of("x"), Condition.none()).written()).isTrue();
    }
  }

  @Test
  void aReadOnlyRootCanBeReadAndSaysWhyItCantBeWritten() throws Exception {
    open(root, Durability.SYNC).put("a.json", Body.of("x"), Condition.none());
    try (ReadOnly readOnly = ReadOnly.of(root)) {
      ObjectStore store = open(root, Durability.SYNC);
      assertThat(store.get("a.json").orElseThrow().text()).isEqualTo("x");
      assertThat(store.list("").map(ObjectInfo::key)).containsExactly("a.json");
      assertThatThrownBy(() -> store.put("b.json", Body.of("y"), Condition.none()))
          .isInstanceOf(StoreAccessException.class)
          .hasMessageContaining("b.json")
          .hasMessageContaining(root.toString())
          .hasMessageContaining("check the owner and the permissions");
      assertThat(store.get("b.json")).isEmpty();
    }
  }

  @Test
  void aFullDiskKeepsWhatWasThere() throws Exception {
    assumeTrue(isRoot(), "a small file system can be mounted by root only");
    run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", root.toString());
    try (ObjectStore store = open(root, Durability.SYNC)) {
      store.put("a.json", Body.of("before"), Condition.none());
      Body big = Body.of(new byte[1 << 20]);
      assertThatThrownBy(() -> store.put("a.json", big, Condition.none()))
          .isInstanceOf(StorageFullException.class)
          .hasMessageContaining("a.json")
          .hasMessageContaining("free some space");
      assertThat(store.get("a.json").orElseThrow().text()).isEqualTo("before");
      assertThat(filesBelow(root)).containsExactly(".tidemark/lock", "a.json");
      assertThat(store.put("b.json", Body.of("after"), Condition.none()).written()).isTrue();
    } finally {
      run("umount", root.toString());
    }
  }

  /** Root may write anywhere, so for root it takes a read-only mount. */
  private record ReadOnly(Path directory, boolean mounted) implements AutoCloseable {
    static ReadOnly of(Path directory) throws Exception {
      if (isRoot()) {
        run("mount", "--bind", directory.toString(), directory.toString());
        run("mount", "-o", "remount,ro,bind", directory.toString());
      } else {
        run("chmod", "-R", "a-w", directory.toString());
      }
      return new ReadOnly(directory, isRoot());
    }

    @Override
    public void close() throws Exception {
      if (mounted) {
        run("umount", directory.toString());
      } else {
        run("chmod", "-R", "u+w", directory.toString());
      }
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", String.join(" ", command), output).isZero();
  }

  private static ObjectStore open(Path directory, Durability durability) {
    return new ObjectStore(DirectoryBackend.open(directory, durability), Retry.standard());
  }

  private static List<String> filesBelow(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    }
  }
}
