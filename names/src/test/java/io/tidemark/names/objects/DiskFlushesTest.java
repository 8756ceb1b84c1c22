// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How often a record in a directory is flushed to the disk, as the JVM records it: its content and
 * its directory, with each of the first writes of a process. Later ones go through the store's log,
 * and share flushes of that.
 */
class DiskFlushesTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final int WRITES = 5;

  @TempDir Path root;
  @TempDir Path recordings;

  @Test
  void syncFlushesContentAndDirectoryWithEachWrite_names61() throws IOException {
    assertThat(flushesOf(Durability.SYNC)).isEqualTo(2 * WRITES);
  }

  @Test
  void pageCacheFlushesNothing_names61() throws IOException {
    assertThat(flushesOf(Durability.PAGE_CACHE)).isZero();
  }

  private long flushesOf(Durability durability) throws IOException {
    ObjectStore store = new ObjectStore(DirectoryBackend.open(root, durability), Retry.standard());
    try (NameService names =
        new NameService(
            new ObjectNameBackend(store, DocumentLayout.B, Retry.standard(), Clock.systemUTC()),
            NameOptions.standard().withoutNotifications())) {
      names.create(MYDB); // and with it the directories above, which are flushed once
      return flushesDuring(
          () -> {
            for (int t = 1; t <= WRITES; t++) {
              names.ledgers().publishCommit(MYDB, Ref.of("c" + t, t));
            }
          });
    }
  }

  private long flushesDuring(Runnable work) throws IOException {
    Path file = Files.createTempFile(recordings, "flushes", ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    List<String> flushed =
        RecordingFile.readAllEvents(file).stream().map(event -> event.getString("path")).toList();
    return flushed.stream().filter(path -> path.startsWith(root.toString())).count();
  }
}
