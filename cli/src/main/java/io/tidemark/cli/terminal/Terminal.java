// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import java.io.Console;
import java.util.Optional;

/** Whether somebody is watching. */
final class Terminal {

  private Terminal() {}

  static boolean isInteractive() {
    return Optional.ofNullable(System.console()).filter(Terminal::isTerminal).isPresent();
  }

  /** From Java 22 on a console says whether it is a terminal; before, there is none without. */
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
