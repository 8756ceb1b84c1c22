// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/** The marker of a backend in memory. */
final class MemoryChangeMarker implements ChangeMarker {

  private Optional<Current> now = Optional.empty();
  private long writes;

  @Override
  public synchronized State read(Optional<String> known) {
    if (now.isEmpty()) {
      return Absent.BLANK;
    }
    return now.map(Current::version).equals(known) ? Unchanged.UNCHANGED : now.get();
  }

  @Override
  public synchronized Optional<String> write(Optional<String> known, String text) {
    if (!now.map(Current::version).equals(known)) {
      return Optional.empty();
    }
    writes++;
    now = Optional.of(new Current(Long.toString(writes), text));
    return now.map(Current::version);
  }
}
