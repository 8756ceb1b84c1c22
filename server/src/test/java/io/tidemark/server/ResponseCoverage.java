// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Which of the promised answers the tests of the module have got, in however many processes they
 * run: each keeps a file of its own, for {@link ResponseCoverageCheck} to read after the last.
 */
final class ResponseCoverage {

  private static final Path DIRECTORY = Path.of("target", "seen-answers");
  private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

  private ResponseCoverage() {}

  static void note(String answer) {
    if (KNOWN.add(answer)) {
      try {
        Files.createDirectories(DIRECTORY);
        Files.writeString(
            DIRECTORY.resolve(ProcessHandle.current().pid() + ".txt"),
            answer + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** All of them, and forgets them: the next run begins anew. */
  static Set<String> take() throws IOException {
    Set<String> all = new TreeSet<>();
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      for (Path file : files.toList()) {
        all.addAll(Files.readAllLines(file));
        Files.delete(file);
      }
    }
    return all;
  }
}
