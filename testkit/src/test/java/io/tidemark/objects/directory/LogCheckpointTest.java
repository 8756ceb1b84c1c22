// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.directory.HostOps.LogLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments of a process that ended before all of them were settled. */
class LogCheckpointTest {

  private static final LogLimits LOGGED = new LogLimits(0, 64 << 10, 1000, 4);
  private static final long ENDED = 7;

  @TempDir Path root;

  private final HookedHostOps machine = new HookedHostOps("boot", LOGGED);
  private LogFolder folder;
  private LogSegment stuck;
  private LogSegment later;

  @BeforeEach
  void twoSegments() throws IOException {
    folder = new LogFolder(root, ENDED, machine);
    stuck = folder.newSegment(LOGGED.segment());
    later = folder.newSegment(LOGGED.segment());
    stuck.append(List.of(put(5, "never")));
  }

  private static LogRecord put(long order, String text) {
    byte[] body = text.getBytes(UTF_8);
    return LogRecord.put(order, LogRecord.NOTHING, new FileVersion(order, body.length), "a", body);
  }

  /** As when the files of the other one couldn't be synced. */
  private void settleTheLaterOne() throws IOException {
    new LogCheckpoint(root, folder, machine)
        .removeRecords(
            later.newest(), List.of(later.path()), () -> folder.remove(List.of(later.path())));
    stuck.close();
    later.close();
  }

  private DirectoryBackend afterAnotherBoot() {
    return DirectoryBackend.open(
        root, Durability.SYNC, Clock.systemUTC(), new HookedHostOps("boot 2", LOGGED));
  }

  @Test
  void aWriteThatWasTakenBackDoesNotComeBackWhenTheRecordOfThatIsSettledFirst() throws Exception {
    later.append(List.of(LogRecord.aborted(5, "a")));
    settleTheLaterOne();
    assertThat(folder.notes()).hasSize(1);
    try (DirectoryBackend next = afterAnotherBoot()) {
      assertThat(next.head("a")).isEmpty();
    }
    assertThat(folder.segments()).isEmpty();
    assertThat(folder.notes()).as("nothing is left that they speak of").isEmpty();
  }

  @Test
  void anOlderWriteDoesNotComeBackWhenTheNewerOneIsSettledFirst() throws Exception {
    later.append(List.of(LogRecord.delete(6, 5, "a")));
    settleTheLaterOne();
    try (DirectoryBackend next = afterAnotherBoot()) {
      assertThat(next.head("a")).isEmpty();
    }
  }

  @Test
  void aWriteOfWhichNothingElseIsKnownIsMadeAgain() throws Exception {
    settleTheLaterOne();
    assertThat(folder.notes()).isEmpty();
    try (DirectoryBackend next = afterAnotherBoot()) {
      assertThat(next.head("a").orElseThrow().size()).isEqualTo("never".length());
    }
  }
}
