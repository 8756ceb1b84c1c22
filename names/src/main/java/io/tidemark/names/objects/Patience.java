// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How long one operation waits for an edit of another process that it has met half done. An edit
 * has several documents to write and would never come to its end if everybody who meets it made it
 * begin again; but its process may have died, so it is waited for a few times only.
 */
final class Patience {

  /** With the standard pauses these take between 150 and 300 milliseconds. */
  private static final int WAITS = 4;

  private final Set<String> own = new HashSet<>();
  private String edit = "";
  private int waits;

  /** An id for an edit of this operation's own, which it needn't wait for. */
  String nextId(Supplier<String> ids) {
    String id = ids.get();
    own.add(id);
    return id;
  }

  /** Whether to pause and look again; false when this edit has had its time. */
  boolean isLeftFor(String id) {
    if (own.contains(id)) {
      return false;
    }
    if (!id.equals(edit)) {
      edit = id;
      waits = 0;
    }
    waits++;
    return waits <= WAITS;
  }
}
