// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.objects.directory.HostOps.LogLimits;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a directory store, one situation at a time; all of them mixed: PowerLossTest. */
class WriteLogTest {

  private static final LogLimits LOGGED = new LogLimits(0, 64 << 10, 1000, 4);

  @TempDir Path place;

  @Test
  void writersThatComeWhileASyncIsRunningShareTheNextAndNothingShowsBeforeIt() throws Exception {
    HookedHostOps machine = new HookedHostOps("boot", LOGGED);
    DirectoryBackend store = open("store", machine);
    put(store, "first", "x");
    CountDownLatch release = new CountDownLatch(1);
    machine.hook(() -> await(release));
    int before = machine.writes();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String key = "key-" + i;
      Thread writer = new Thread(() -> put(store, key, "new"));
      writers.add(writer);
      writer.start();
      awaitWaiting(writer);
    }
    assertThat(store.head("key-0")).as("not durable, so not visible").isEmpty();
    assertThat(store.head("key-7")).isEmpty();
    release.countDown();
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(machine.writes() - before)
        .as("one for the first, one for the other seven")
        .isEqualTo(2);
    for (int i = 0; i < 8; i++) {
      assertThat(store.head("key-" + i)).isPresent();
    }
    store.close();
  }

  @Test
  void aWriteWhoseSyncFailsIsInDoubtAndTheNextGoesToAnotherSegment() throws Exception {
    HookedHostOps machine = new HookedHostOps("boot", LOGGED);
    DirectoryBackend store = open("store", machine);
    ETag old = put(store, "a", "old");
    machine.hook(
        () -> {
          machine.hook(() -> {});
          throw new IOException("Input/output error");
        });
    assertThatThrownBy(() -> put(store, "a", "new"))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("the write to a in " + place.resolve("store"))
        .hasMessageContaining("Input/output error")
        .hasMessageContaining("check the disk");
    assertThat(store.head("a").orElseThrow().etag()).isEqualTo(old);
    ETag next = put(store, "a", "next");
    DirectoryBackend later = open(copy("store", "after"), new HookedHostOps("boot 2", LOGGED));
    assertThat(later.head("a").orElseThrow().etag()).isEqualTo(next);
    store.close();
    assertThat(logs("store")).isEmpty();
  }

  @Test
  void whatCouldNotBeCarriedOutIsNotReplayed() throws Exception {
    DirectoryBackend store = open("store", new HookedHostOps("boot", LOGGED));
    put(store, "b", "x");
    Path inTheWay = Files.createDirectories(place.resolve("store/a.json"));
    assertThatThrownBy(() -> put(store, "a.json", "y"))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("a.json");
    Files.delete(inTheWay);
    DirectoryBackend later = open(copy("store", "after"), new HookedHostOps("boot 2", LOGGED));
    assertThat(later.head("a.json")).isEmpty();
    assertThat(later.head("b")).isPresent();
    store.close();
  }

  @Test
  void inTheSameBootNothingIsReplayedOverWhatIsThere() throws Exception {
    DirectoryBackend store = open("store", new HookedHostOps("boot", LOGGED));
    put(store, "a", "logged");
    Path after = copy("store", "after");
    Files.writeString(after.resolve("a%"), "another program's");
    DirectoryBackend later = open(after, new HookedHostOps("boot", LOGGED));
    put(later, "b", "x");
    assertThat(after.resolve("a%")).hasContent("another program's");
    store.close();
  }

  @Test
  void afterAnotherBootATornFileIsMadeWholeBeforeItIsReadAndTheLogIsGone() throws Exception {
    DirectoryBackend store = open("store", new HookedHostOps("boot", LOGGED));
    ETag etag = put(store, "d/a", "whole");
    put(store, "d/b", "gone");
    store.delete("d/b", Optional.empty());
    Path after = copy("store", "after");
    Files.delete(after.resolve("d/a%"));
    Files.delete(after.resolve("d"));
    DirectoryBackend reader = open(after, new HookedHostOps("boot 2", LOGGED));
    assertThat(reader.head("d/a").orElseThrow().etag()).isEqualTo(etag);
    assertThat(after.resolve("d/a%")).hasContent("whole");
    assertThat(reader.head("d/b")).isEmpty();
    assertThat(logs("after")).isEmpty();
    store.close();
  }

  @Test
  void whoMayNotReplayALogMayNotReadEither() throws Exception {
    DirectoryBackend store = open("store", new HookedHostOps("boot", LOGGED));
    put(store, "a", "x");
    Path after = copy("store", "after");
    Files.delete(after.resolve(".tidemark/lock"));
    Files.createDirectory(after.resolve(".tidemark/lock")); // so that it can't be opened
    DirectoryBackend reader = open(after, new HookedHostOps("boot 2", LOGGED));
    assertThatThrownBy(() -> reader.head("a"))
        .isInstanceOf(StoreAccessException.class)
        .hasMessageContaining(after.toString())
        .hasMessageContaining("open it once as a user who may write there");
    store.close();
  }

  @Test
  void aFullSegmentIsSettledAndUsedAgainAndClosingLeavesNothing() throws Exception {
    DirectoryBackend store = open("store", new HookedHostOps("boot", LOGGED));
    for (int i = 0; i < 1_000; i++) {
      put(store, "k" + i % 7, "y".repeat(500) + i);
    }
    assertThat(logs("store")).as("half a megabyte in segments of 128 KiB").hasSizeBetween(1, 2);
    store.close();
    assertThat(logs("store")).isEmpty();
    assertThat(spares("store")).isEmpty();
  }

  /** Its file would be synced as it was before, and the record that says otherwise be gone. */
  @Test
  void aSegmentIsNotSettledBeforeAllOfItsRecordsAreCarriedOut() throws Exception {
    HookedHostOps machine = new HookedHostOps("boot", LOGGED);
    Path root = Files.createDirectories(place.resolve("store/.tidemark/log")).resolve("../..");
    LogFolder folder = new LogFolder(root.toRealPath(), 1, machine);
    LogCheckpoint logCheckpoint = new LogCheckpoint(root.toRealPath(), folder, machine);
    WriteLog log = new WriteLog(folder, logCheckpoint, LogCheckpoint.Removal::run, machine);
    LogRecord slow = LogRecord.delete(log.nextOrder(), 5, "slow");
    WriteLog.Entry underWay = log.append(slow);
    Path first = folder.segments().get(0);
    while (folder.segments().size() == 1) {
      log.append(LogRecord.delete(log.nextOrder(), 5, "quick")).close();
    }
    Thread settler = settler();
    awaitWaiting(settler);
    assertThat(LogContents.read(first).orElseThrow().records()).contains(slow);
    underWay.close();
    settler.join();
    assertThat(first).as("it was small, and larger ones take its place").doesNotExist();
    log.close();
  }

  private static Thread settler() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("tidemark-settle"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aFileThatAnotherProgramHasPutInPlaceLeavesNoBytesInWhatIsWrittenOverIt() throws Exception {
    HookedHostOps machine = new HookedHostOps("boot", LOGGED);
    DirectoryBackend store = open("store", machine);
    put(store, "a", "ours");
    Path foreign = Files.writeString(place.resolve("foreign"), "much longer than ours".repeat(9));
    machine.hook(
        () -> {
          machine.hook(() -> {});
          Files.move(foreign, place.resolve("store/a%"), StandardCopyOption.REPLACE_EXISTING);
        });
    put(store, "a", "ours again");
    for (int i = 0; i < 50; i++) {
      put(store, "k" + i % 3, "version " + i);
      assertThat(place.resolve("store/k" + i % 3 + "%")).hasContent("version " + i);
    }
    store.close();
  }

  @Test
  void recordsOfAnEarlierUseOfASegmentAndATornOneAreNotRead() throws Exception {
    Path path = place.resolve("1-1.log");
    LogSegment segment = LogSegment.create(path, 64 << 10, new HookedHostOps("boot", LOGGED));
    LogRecord first = LogRecord.delete(1, 5, "a");
    LogRecord second = LogRecord.delete(2, 5, "b");
    segment.append(List.of(first, second));
    assertThat(LogContents.read(path).orElseThrow().records()).containsExactly(first, second);
    segment.reset();
    assertThat(LogContents.read(path).orElseThrow().records()).isEmpty();
    LogRecord third = LogRecord.delete(3, 5, "c");
    segment.append(List.of(third));
    assertThat(LogContents.read(path).orElseThrow().records()).containsExactly(third);
    byte[] bytes = Files.readAllBytes(path);
    bytes[LogContents.HEADER + 12] ^= 1;
    Files.write(path, bytes);
    assertThat(LogContents.read(path).orElseThrow().records()).isEmpty();
    segment.close();
  }

  @Test
  void aFileThatIsLinkedElsewhereIsNeverWrittenAgain() throws Exception {
    DirectoryBackend store = open("store", new HookedHostOps("boot", LOGGED));
    put(store, "a", "to be kept");
    Path backup = Files.createLink(place.resolve("backup"), place.resolve("store/a%"));
    for (int i = 0; i < 50; i++) {
      put(store, "a", "version " + i);
    }
    assertThat(backup).hasContent("to be kept");
    assertThat(spares("store")).as("others are").hasSizeLessThanOrEqualTo(5);
    store.close();
  }

  @Test
  void aWriteWhoseFileCannotBeMadeIsTakenBack() throws Exception {
    DirectoryBackend store = open("store", new HookedHostOps("boot", LOGGED));
    ETag old = put(store, "a", "old");
    for (Path folder : RecycledFiles.folders(place.resolve("store/.tidemark/spare"))) {
      Files.delete(folder); // so that none can be made in it
    }
    assertThatThrownBy(() -> put(store, "a", "new")).isInstanceOf(StoreFailureException.class);
    assertThat(store.head("a").orElseThrow().etag()).isEqualTo(old);
    Path after = copy("store", "after");
    DirectoryBackend later = open(after, new HookedHostOps("boot 2", LOGGED));
    assertThat(later.head("a").orElseThrow().etag()).isEqualTo(old);
    assertThat(after.resolve("a%")).hasContent("old");
    store.close();
  }

  @Test
  void onADiskWithoutRoomForALogEachWriteIsSyncedByItself() throws Exception {
    HookedHostOps machine = new HookedHostOps("boot", LOGGED);
    machine.createHook(WriteLogTest::noSpace);
    DirectoryBackend store = open("store", machine);
    List<Path> synced = new CopyOnWriteArrayList<>();
    machine.syncHook(synced::add);
    put(store, "a", "x");
    assertThat(logs("store")).isEmpty();
    assertThat(synced).as("the file and its directory").hasSizeGreaterThanOrEqualTo(2);
    store.close();
    assertThat(place.resolve("store/a%")).hasContent("x");
  }

  @Test
  void onADiskThatHasFilledTheOneSegmentIsSettledAndUsedAgain() throws Exception {
    HookedHostOps machine = new HookedHostOps("boot", LOGGED);
    DirectoryBackend store = open("store", machine);
    put(store, "a", "x");
    machine.createHook(WriteLogTest::noSpace);
    Map<String, ETag> last = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      last.put("k" + i % 7, put(store, "k" + i % 7, "y".repeat(500) + i));
    }
    assertThat(logs("store")).as("a quarter of a megabyte, in 64 KiB").hasSize(1);
    machine.createHook(path -> {});
    for (int i = 0; i < 500; i++) {
      last.put("k" + i % 7, put(store, "k" + i % 7, "z".repeat(500) + i));
    }
    DirectoryBackend later = open(copy("store", "after"), new HookedHostOps("boot 2", LOGGED));
    last.forEach((key, etag) -> assertThat(later.head(key).orElseThrow().etag()).isEqualTo(etag));
    store.close();
    assertThat(logs("store")).isEmpty();
  }

  /**
   * The kernel may take pages for written that it couldn't write, so a second sync proves nothing.
   */
  @Test
  void aSegmentWhoseFilesCouldNotBeSyncedStaysAndIsReplayedInTheSameBootToo() throws Exception {
    HookedHostOps machine = new HookedHostOps("boot", LOGGED);
    DirectoryBackend store = open("store", machine);
    ETag first = put(store, "a", "acknowledged");
    machine.syncHook(
        path -> {
          if (path.endsWith("a%")) {
            throw new IOException("Input/output error");
          }
        });
    assertThatThrownBy(
            () -> {
              while (true) {
                put(store, "b", "y".repeat(900));
              }
            })
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("couldn't be synced; check the disk");
    Path after = copy("store", "after");
    FileTime time = Files.getLastModifiedTime(after.resolve("a%"));
    Files.writeString(after.resolve("a%"), "torn");
    Files.setLastModifiedTime(after.resolve("a%"), time);
    DirectoryBackend later = open(after, new HookedHostOps("boot", LOGGED));
    assertThat(later.head("a").orElseThrow().etag()).isEqualTo(first);
    assertThat(after.resolve("a%")).hasContent("acknowledged");
    store.close();
    assertThat(logs("store")).as("for the next process").isNotEmpty();
  }

  private static void noSpace(Path path) throws IOException {
    throw new IOException("No space left on device");
  }

  @Test
  void aProcessOfFewWritesHasNoLog() throws Exception {
    DirectoryBackend store = open("store", new HookedHostOps("boot", LogLimits.STANDARD));
    for (int i = 0; i < LogLimits.STANDARD.unlogged(); i++) {
      put(store, "a", "" + i);
    }
    assertThat(logs("store")).isEmpty();
    put(store, "a", "one more");
    assertThat(logs("store")).hasSize(1);
    store.close();
  }

  private DirectoryBackend open(String name, HostOps hostOps) {
    return open(place.resolve(name), hostOps);
  }

  private static DirectoryBackend open(Path root, HostOps hostOps) {
    return DirectoryBackend.open(root, Durability.SYNC, Clock.systemUTC(), hostOps);
  }

  private static ETag put(DirectoryBackend store, String key, String text) {
    return ((Written) store.put(key, Body.of(text), Condition.none(), "")).etag();
  }

  private List<Path> logs(String name) throws IOException {
    Path folder = place.resolve(name).resolve(".tidemark/log");
    if (Files.notExists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private List<Path> spares(String name) throws IOException {
    try (Stream<Path> files = Files.walk(place.resolve(name).resolve(".tidemark/spare"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /**
   * Copies a directory as another process would find it if all that have it open ended now. A
   * segment of the log may be deleted meanwhile, once all that is in it is in its place.
   */
  private Path copy(String from, String to) throws IOException {
    Path source = place.resolve(from);
    Path target = place.resolve(to);
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
              throws IOException {
            return copied(path);
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            return copied(path);
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          private FileVisitResult copied(Path path) throws IOException {
            try {
              Files.copy(
                  path,
                  target.resolve(source.relativize(path)),
                  StandardCopyOption.COPY_ATTRIBUTES);
            } catch (NoSuchFileException e) {
              // Deleted between the visit and the copy.
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return target;
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
