// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.names.SoftLocks.Lock;
import java.util.Optional;

/** Text format of locks, after a word for the outcome. */
final class LockFormatter {

  private LockFormatter() {}

  static String text(String result, Optional<Lock> lock) {
    if (lock.isEmpty()) {
      return result.equals("lost") ? "lost: nobody has it any more" : result;
    }
    Lock l = lock.get();
    StringBuilder text = new StringBuilder(result).append(": epoch ").append(l.epoch());
    // Another program wrote the name, perhaps one that should not move the cursor.
    text.append(" of ").append(TerminalEscaping.escape(l.holder()));
    text.append(", until ").append(RecordFormatter.time(l.expiresAt()));
    l.targetT().ifPresent(t -> text.append(", up to t ").append(t));
    l.progress().ifPresent(p -> text.append(", ").append(Math.round(p * 100)).append(" % done"));
    return text.toString();
  }
}
