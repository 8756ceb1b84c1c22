// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadProgress.Phase;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.testkit.process.ParentLink;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that loads a file, says when it has come to a phase, and waits there to be killed. */
final class LoadProcess {

  private LoadProcess() {}

  public static void main(String[] arguments) throws Exception {
    ParentLink parent = new ParentLink();
    parent.awaitStart();
    Phase phase = Phase.valueOf(arguments[2]);
    CountDownLatch killed = new CountDownLatch(1);
    try (Features features = Features.open(arguments[0], "store")) {
      features
          .bulk()
          .load(
              TestStorage.ALICE,
              "foo",
              Input.of(Path.of(arguments[1])),
              LoadOptions.standard().creating(CollectionOptions.none()).inParallel(2))
          .run(
              progress -> {
                if (progress.phase() == phase && progress.rows() > 0) {
                  parent.printLine("there");
                  await(killed);
                }
              });
    }
  }

  private static void await(CountDownLatch killed) {
    try {
      killed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
