// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.WriteResult;
import java.util.UUID;

/**
 * The fewest writes by which an event can be published, claimed and acknowledged: one each, of
 * objects as long as ours, by workers who need not look for anything.
 */
final class BarePipeline implements EventPipeline {

  private final ObjectStore store;
  private final Lengths lengths;

  /** How long our objects are. */
  record Lengths(int event, int claim) {}

  BarePipeline(ObjectStore store, Lengths lengths) {
    this.store = store;
    this.lengths = lengths;
  }

  @Override
  public void run(int events, WorkerThreads workers) throws Exception {
    String[] ids = new String[events];
    workers.run(
        worker -> {
          for (int i = worker; i < events; i += workers.threads()) {
            ids[i] = UUID.randomUUID().toString();
            write("events/default/" + ids[i] + ".json", lengths.event(), Condition.ifAbsent());
          }
        });
    workers.run(
        worker -> {
          for (int i = worker; i < events; i += workers.threads()) {
            String claim = "claims/default/" + ids[i] + "/bench.json";
            ETag claimed = write(claim, lengths.claim(), Condition.ifAbsent());
            write(claim, lengths.claim(), Condition.ifMatch(claimed));
          }
        });
  }

  /** No two bodies are the same, as on S3 equal bytes have equal ETags. */
  private ETag write(String key, int length, Condition condition) {
    String unique = UUID.randomUUID().toString();
    WriteResult result =
        store.put(key, Body.of(unique + " ".repeat(length - unique.length())), condition);
    if (result instanceof WriteResult.Written written) {
      return written.etag();
    }
    throw new IllegalStateException(key + " was written by somebody else");
  }

  @Override
  public void close() {
    store.close();
  }
}
