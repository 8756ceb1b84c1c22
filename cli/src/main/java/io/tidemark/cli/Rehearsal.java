// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs commands for the sake of the classes they load: {@code ./tidemark} lets the JVM note them
 * and puts them into the archive that later starts map into memory. A verb that should start fast
 * gets a line here, one that needs no store.
 */
final class Rehearsal {

  private static final List<List<String>> COMMANDS =
      List.of(List.of("--version"), List.of("--help"), List.of("help", "help"), List.of("no-verb"));

  private Rehearsal() {}

  /** Runs them all; what they print goes nowhere. */
  public static void main(String[] args) {
    PrintWriter nowhere =
        new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    for (List<String> words : COMMANDS) {
      Tidemark.run(Verb.all(), nowhere, nowhere, words.toArray(String[]::new));
    }
  }
}
