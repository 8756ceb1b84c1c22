// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import java.io.Console;
import java.util.Optional;

/** Detection of an interactive terminal. */
final class Terminal {

  private Terminal() {}

  static boolean isInteractive() {
    return Optional.ofNullable(System.console()).filter(Terminal::isTerminal).isPresent();
  }

  /**
   * Returns whether a console is a terminal, which it tells from Java 22 on; before, it always is
   * one.
   */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
