// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.Workload;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.RequestCounts;
import java.util.function.Function;

/** One of the two who commit, on a store of its own whose requests are counted. */
final class MeasuredAppender implements Workload, AutoCloseable {

  private final CountingBackend counting;
  private final ObjectStore store;
  private final Appender appender;
  private final CommitContent commitContent;
  private long commits;

  MeasuredAppender(
      ObjectBackend backend,
      Function<ObjectStore, Appender> appender,
      CommitContent commitContent) {
    this.counting = new CountingBackend(backend);
    this.store = new ObjectStore(counting, Retry.standard());
    this.appender = appender.apply(store);
    this.commitContent = commitContent;
  }

  @Override
  public void run(int operations) {
    for (int i = 0; i < operations; i++) {
      appender.commit(commitContent.batch(commits++));
    }
    appender.settle();
  }

  /** What so many more commits ask of the store. */
  RequestCounts requests(int operations) {
    return counting.during(() -> run(operations));
  }

  /** How many it has made so far. */
  long commits() {
    return commits;
  }

  @Override
  public void close() {
    appender.close();
    store.close();
  }
}
