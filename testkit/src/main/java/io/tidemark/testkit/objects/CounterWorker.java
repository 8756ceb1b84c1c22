// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.process.ParentLink;
import java.io.IOException;

/** A process that raises a counter and prints each version it replaced and wrote. */
public final class CounterWorker {

  private CounterWorker() {}

  /** Takes the location of the store, the key of the counter and how often to raise it. */
  public static void main(String[] arguments) throws IOException {
    ParentLink parent = new ParentLink();
    try (ObjectStore store = ObjectStore.open(arguments[0])) {
      Counter counter = new Counter(store, arguments[1]);
      parent.awaitStart();
      counter
          .increment(Integer.parseInt(arguments[2]))
          .forEach(step -> parent.printLine(step.from() + " " + step.to()));
    }
  }
}
