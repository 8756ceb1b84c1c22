// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory for what one DuckDB spills, beside those of others: its files have the same names in
 * each, so two must never share one. DuckDB makes the directory when it needs it and removes it
 * when it ends; those of processes that were killed are removed by whoever comes next.
 */
public final class SpillPlace {

  private static final Logger LOG = LoggerFactory.getLogger(SpillPlace.class);

  private SpillPlace() {}

  /** A directory that nobody else has, and that isn't there yet. */
  public static Path in(Path parent) {
    return parent.resolve(ProcessHandle.current().pid() + "-" + UUID.randomUUID());
  }

  /** Makes what a place is in, and removes what the dead have left there. */
  public static void prepare(Path place) {
    Path absolute = place.toAbsolutePath();
    Path parent = Optional.ofNullable(absolute.getParent()).orElse(absolute);
    try {
      Files.createDirectories(parent);
      for (Path other : children(parent)) {
        String name = other.getFileName().toString();
        if (name.matches("[0-9]{1,18}-[0-9a-f-]{36}") && isDead(name)) {
          forget(other);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't use " + parent + "; look at the disk it is on", e);
    }
  }

  /** Another process may be doing the same; what is left is left to the next. */
  private static void forget(Path place) {
    try {
      for (Path file : children(place)) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(place);
    } catch (IOException e) {
      LOG.debug("{} isn't deleted: {}", place, e.toString());
    }
  }

  private static boolean isDead(String name) {
    return ProcessHandle.of(Long.parseLong(name.substring(0, name.indexOf('-')))).isEmpty();
  }

  private static List<Path> children(Path directory) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.toList();
    }
  }
}
