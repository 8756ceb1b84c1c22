// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/** The marker of a backend in memory. */
final class MemoryMarker implements Marker {

  private Optional<Says> now = Optional.empty();
  private long writes;

  @Override
  public synchronized Reading read(Optional<String> known) {
    if (now.isEmpty()) {
      return Blank.BLANK;
    }
    return now.map(Says::version).equals(known) ? Unchanged.UNCHANGED : now.get();
  }

  @Override
  public synchronized Optional<String> write(Optional<String> known, String text) {
    if (!now.map(Says::version).equals(known)) {
      return Optional.empty();
    }
    writes++;
    now = Optional.of(new Says(Long.toString(writes), text));
    return now.map(Says::version);
  }
}
