// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.names.RetractedException;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.RamDirectory;
import io.tidemark.testkit.objects.Race;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Edits come to an end though another process writes all the documents without pause. */
class EditsAmongRivalsTest {

  private static final Address MYDB = Address.parse("mydb");

  @TempDir(factory = RamDirectory.class)
  Path root;

  @ParameterizedTest
  @EnumSource(DocumentLayout.class)
  void inMemory(DocumentLayout documentLayout) throws Exception {
    MemoryBackend place = new MemoryBackend();
    retractsAndPurges(open(place, documentLayout), open(place, documentLayout));
  }

  @ParameterizedTest
  @EnumSource(DocumentLayout.class)
  void inADirectory(DocumentLayout documentLayout) throws Exception {
    for (Durability durability : Durability.values()) {
      Path place = root.resolve(durability.name());
      retractsAndPurges(
          open(DirectoryBackend.open(place, durability), documentLayout),
          open(DirectoryBackend.open(place, durability), documentLayout));
    }
  }

  private static NameService open(ObjectBackend place, DocumentLayout documentLayout) {
    return new NameService(
        new ObjectNameBackend(
            new ObjectStore(place, Retry.standard()),
            documentLayout,
            Retry.standard(),
            Clock.systemUTC()));
  }

  private static void retractsAndPurges(NameService rivals, NameService names) throws Exception {
    try (rivals;
        names) {
      for (int round = 0; round < 3; round++) {
        names.create(MYDB);
        among(rivals, () -> assertThat(names.retract(MYDB).meta().retracted()).isTrue());
        names.restore(MYDB);
        among(rivals, () -> names.purge(MYDB));
        assertThat(rivals.find(MYDB)).isEmpty();
      }
    }
  }

  /** Does something while another process pushes every concern. */
  private static void among(NameService rivals, Runnable action) throws Exception {
    CountDownLatch writing = new CountDownLatch(4 * 3);
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        5,
        thread -> {
          if (thread < 4) {
            pushUntil(done, rivals, List.of(Concern.values()).get(thread), writing);
            return thread;
          }
          try {
            assertThat(writing.await(1, TimeUnit.MINUTES)).isTrue();
            action.run();
          } finally {
            done.set(true);
          }
          return thread;
        });
  }

  private static void pushUntil(
      AtomicBoolean done, NameService names, Concern concern, CountDownLatch writing) {
    Optional<ConcernValue> known = names.get(MYDB, concern);
    try {
      while (!done.get() && known.isPresent()) {
        long w = known.get().watermark() + 1;
        Payload payload =
            Payload.build(json -> json.put("id", "x" + w).put("t", w).put("state", "x"));
        ConcernValue next = ConcernValue.of(w, payload);
        PushResult result = names.push(MYDB, concern, known, next);
        known =
            result instanceof PushResult.Conflict conflict ? conflict.actual() : Optional.of(next);
        writing.countDown();
      }
    } catch (RetractedException e) {
      // That is how it ends for them.
    }
  }
}
