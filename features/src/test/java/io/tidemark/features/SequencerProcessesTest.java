// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.Sequencer;
import io.tidemark.features.log.SequencerOptions;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.ParentLink;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sequencers in several processes that are killed as they work. */
@ExtendWith(ServerExtension.class)
class SequencerProcessesTest {

  private static final int KILLS = Boolean.getBoolean("soak") ? 20 : 2;

  @Test
  void processesThatAreKilledLeaveNoHoles(PostgresServer server) {
    try (TestStorage storage = TestStorage.in(server)) {
      List<ChildJvm> children = new ArrayList<>();
      int written = 0;
      try {
        children.add(start(storage));
        children.add(start(storage));
        for (int kill = 0; kill < KILLS; kill++) {
          for (int i = 0; i < 40; i++) {
            message(storage);
            written++;
          }
          awaitNumbers(storage, written / 2); // somebody is at it
          message(storage);
          written++;
          assertThat(children.remove(0).kill()).isEmpty();
          children.add(start(storage));
        }
        awaitNumbers(storage, written);
      } finally {
        children.forEach(ChildJvm::close);
      }
      assertThat(storage.features.log().fromNumber(1, written + 10))
          .extracting(LoggedTransaction::number)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, written).boxed().toList());
    }
  }

  private static ChildJvm start(TestStorage storage) {
    ChildJvm child = ChildJvm.start(Child.class, storage.url).expectLine("ready");
    child.send("go");
    return child;
  }

  private static void message(TestStorage storage) {
    storage.features.transact(
        ALICE,
        tx -> {
          tx.message("m", null, null);
          return 1;
        });
  }

  private static void awaitNumbers(TestStorage storage, long number) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (storage.features.log().lastNumber() < number) {
      assertThat(System.nanoTime()).as("waited for too long").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  /** Runs a sequencer until it is killed. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      ParentLink parent = new ParentLink();
      SequencerOptions options = SequencerOptions.defaults().polling(Duration.ofMillis(50));
      try (Features features = Features.open(args[0], "store")) {
        parent.awaitStart();
        try (Sequencer unused = features.log().startSequencer(options)) {
          Thread.currentThread().join();
        }
      }
    }
  }
}
