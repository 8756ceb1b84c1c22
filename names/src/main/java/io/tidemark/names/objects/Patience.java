// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How long one operation waits for an edit of another process that it has met half done. An edit
 * has several documents to write and would never come to its end if everybody who meets it made it
 * begin again; but its process may have died, so it is waited for a few times only.
 *
 * <p>Each attempt of an edit has an id that no other has, since a seal that the main document names
 * is over. The id of an attempt for a holder begins with the holder, and all edits of one holder
 * are waited for no longer than one edit.
 */
final class Patience {

  /** With the standard pauses these take between 150 and 300 milliseconds. */
  private static final int WAITS = 4;

  /**
   * Between a holder, which may be any text, and the rest of an id, which hasn't this character.
   */
  private static final char AFTER_HOLDER = '/';

  private final Set<String> own = new HashSet<>();
  private String editor = "";
  private int waits;

  /**
   * Returns an id for an attempt of this operation's own, which it needn't wait for.
   *
   * @param holder for whom the edit is made; empty for nobody
   */
  String nextId(Optional<String> holder, Supplier<String> ids) {
    String id = holder.map(text -> text + AFTER_HOLDER).orElse("") + ids.get();
    own.add(editor(id));
    return id;
  }

  /** Whether to pause and look again; false when this edit has had its time. */
  boolean isLeftFor(String id) {
    String met = editor(id);
    if (own.contains(met)) {
      return false;
    }
    if (!met.equals(editor)) {
      editor = met;
      waits = 0;
    }
    waits++;
    return waits <= WAITS;
  }

  /** Returns the holder that an id begins with, else the id itself. */
  private static String editor(String id) {
    int end = id.lastIndexOf(AFTER_HOLDER);
    return end < 0 ? id : id.substring(0, end);
  }
}
