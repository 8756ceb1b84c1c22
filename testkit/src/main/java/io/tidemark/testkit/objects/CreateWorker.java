// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.process.ParentLink;
import java.io.IOException;

/** A process that tries to create many objects and prints the keys of those it created. */
public final class CreateWorker {

  private CreateWorker() {}

  /** Takes the location of the store, a prefix, how many objects, and a name for itself. */
  public static void main(String[] arguments) throws IOException {
    ParentLink parent = new ParentLink();
    try (ObjectStore store = ObjectStore.open(arguments[0])) {
      parent.awaitStart();
      for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
        String key = arguments[1] + i;
        if (store.put(key, Body.of(arguments[3]), Condition.ifAbsent()).written()) {
          parent.printLine(key);
        }
      }
    }
  }
}
