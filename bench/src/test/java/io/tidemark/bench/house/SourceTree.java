// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of this repository. */
final class SourceTree {

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private final Path root;

  private SourceTree(Path root) {
    this.root = root;
  }

  /** Tests run in the directory of their module, or in the root when started by an IDE. */
  static SourceTree find() {
    Path start = Path.of("").toAbsolutePath();
    for (Path dir = start; dir != null; dir = dir.getParent()) {
      if (Files.isDirectory(dir.resolve(".mvn"))) {
        return new SourceTree(dir);
      }
    }
    throw new IllegalStateException("no directory above " + start + " holds .mvn");
  }

  /** Returns the modules that the parent POM names and that have sources. */
  List<String> modules() {
    return MODULE
        .matcher(read("pom.xml"))
        .results()
        .map((MatchResult m) -> m.group(1))
        .filter(module -> !read(module, "pom.xml").contains("<packaging>pom</packaging>"))
        .toList();
  }

  /** What the compiler made of a module. */
  Path classes(String module) {
    Path classes = root.resolve(module).resolve("target/classes");
    if (!Files.isDirectory(classes)) {
      throw new IllegalStateException(classes + " is missing; build all modules first");
    }
    return classes;
  }

  /**
   * The directories of a module that hold Java files, from {@code src/main} or {@code src/test}.
   */
  List<Path> packages(String module, String part) {
    Path java = root.resolve(module).resolve("src").resolve(part).resolve("java");
    if (!Files.isDirectory(java)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(java)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> java.relativize(file.resolveSibling("")))
          .distinct()
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file or directory, seen from the root. */
  Path path(String first, String... more) {
    return root.resolve(Path.of(first, more));
  }

  boolean exists(String first, String... more) {
    return Files.exists(path(first, more));
  }

  String read(String first, String... more) {
    try {
      return Files.readString(path(first, more));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
