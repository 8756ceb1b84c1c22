// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Time that one operation waits for the edits of other writers. An edit that is met again and again
 * is waited for during a few pauses; then its process is taken for dead.
 */
final class EditWaitBudget {

  /** With the standard pauses these take between 150 and 300 milliseconds. */
  private static final int WAITS = 4;

  private final Set<String> own = new HashSet<>();
  private String met = "";
  private int waits;

  /** Returns an id for an attempt of this operation's own, which it needn't wait for. */
  String nextId(Supplier<String> ids) {
    String id = ids.get();
    own.add(id);
    return id;
  }

  /** Returns whether to pause and look again; false when this edit has had its time. */
  boolean hasBudgetFor(String id) {
    if (own.contains(id)) {
      return false;
    }
    if (!id.equals(met)) {
      met = id;
      waits = 0;
    }
    waits++;
    return waits <= WAITS;
  }
}
