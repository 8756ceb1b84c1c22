// SPDX-License-Identifier: Apache-2.0
package io.tidemark;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Options for opening a Tidemark. Options of a part that isn't used have no effect; with a server,
 * only the location counts.
 *
 * @param location location of the names, see {@link Tidemark#open(String)}
 * @param objects location of ledgers and events, if not beside the names
 * @param jdbc JDBC URL of the features; a password may be in it
 * @param replicas JDBC URLs of followers of that database, which reads go to in turn
 * @param storage id with which GUIDs of features begin
 * @param cache directory of cached files and replicas; empty for the user's own
 * @param writer name of the program, which commits tell as their writer
 * @param maxSkew maximum difference of clocks; equal for all that use the events
 */
@RecordBuilder
public record OpenOptions(
    String location,
    Optional<String> objects,
    Optional<String> jdbc,
    List<String> replicas,
    String storage,
    Optional<Path> cache,
    String writer,
    Duration maxSkew)
    implements OpenOptionsBuilder.With {

  private static final String STANDARD_STORAGE = "store";
  private static final String STANDARD_WRITER = "tidemark-java";
  private static final Duration STANDARD_SKEW = Duration.ofSeconds(30);

  public OpenOptions {
    replicas = List.copyOf(replicas);
  }

  /** Returns the standard options for a location. */
  public static OpenOptions at(String location) {
    return new OpenOptions(
        location,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        STANDARD_STORAGE,
        Optional.empty(),
        STANDARD_WRITER,
        STANDARD_SKEW);
  }

  /** Returns the location alone; JDBC URLs may have passwords. */
  @Override
  public String toString() {
    return location;
  }
}
