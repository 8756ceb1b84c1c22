// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoredObject;
import io.tidemark.testkit.process.ParentLink;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A process that writes to a store without end, with several threads, and prints a line when it has
 * the answer to a write; a delete also has a line before it, as from then on the object may be
 * gone. {@link CrashModel} reads these lines.
 */
public final class CrashWorker {
  static final int THREADS = 4;

  /** Fewer than threads, so that they race. */
  static final int COUNTERS = 2;

  /** So many of its own objects a thread leaves; the rest it deletes, oldest first. */
  private static final int KEPT = 5;

  private final ParentLink parent;
  private final ObjectStore store;
  private final int run;
  private final int thread;
  private final Deque<String> created = new ArrayDeque<>();

  private CrashWorker(ParentLink parent, ObjectStore store, int run, int thread) {
    this.parent = parent;
    this.store = store;
    this.run = run;
    this.thread = thread;
  }

  /** Takes the location of the store and a number that no other run has. */
  public static void main(String[] arguments) throws IOException {
    ParentLink parent = new ParentLink();
    ObjectStore store = ObjectStore.open(arguments[0]); // never closed: this process is killed
    parent.awaitStart();
    for (int i = 0; i < THREADS; i++) {
      CrashWorker worker = new CrashWorker(parent, store, Integer.parseInt(arguments[1]), i);
      new Thread(worker::work, "worker-" + i).start();
    }
  }

  /** The ids of the large objects of a run are this plus 1, 2, 3 and so on. */
  static long idBefore(int run) {
    return run * 1_000_000L;
  }

  private void work() {
    try {
      for (int step = 1; ; step++) {
        count("counter/" + (thread + step) % COUNTERS);
        create(String.format("log/%d/%d-%06d.json", run, thread, step), step);
        replace("large/" + thread, idBefore(run) + step);
        if (created.size() > KEPT) {
          delete(created.removeFirst());
        }
      }
    } catch (RuntimeException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private void count(String key) {
    StoredObject now = store.get(key).orElseThrow();
    long next = Counter.value(now) + 1;
    Body body = Body.of(next + " " + run + " " + thread);
    if (store.put(key, body, Condition.ifMatch(now.etag())).written()) {
      parent.printLine("counted " + key + " " + next);
    }
  }

  private void create(String key, long id) {
    Body body = Body.of(SelfCheckingBytes.of(id, 500));
    if (!store.put(key, body, Condition.ifAbsent()).written()) {
      throw new IllegalStateException(key + " is there before it was created");
    }
    parent.printLine("created " + key + " " + id);
    created.addLast(key);
  }

  private void replace(String key, long id) {
    int length = 50_000 + (int) (id * 7919 % 200_000);
    store.put(key, Body.of(SelfCheckingBytes.of(id, length)), Condition.none());
    parent.printLine("replaced " + key + " " + id);
  }

  private void delete(String key) {
    parent.printLine("deleting " + key + " 0");
    store.delete(key);
    parent.printLine("deleted " + key + " 0");
  }
}
