// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** Version of this build. The parent POM names it, and the build writes it beside this class. */
public final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return lines();
  }

  /** Returns whether the version is all that a command line asks for. */
  public static boolean isOnlyRequest(String... words) {
    return words.length == 1 && (words[0].equals("--version") || words[0].equals("-V"));
  }

  /** Prints the version as picocli does, which takes half of such a start; returns exit code 0. */
  public static int print() {
    for (String line : lines()) {
      System.out.println(line);
    }
    return 0;
  }

  private static String[] lines() {
    return new String[] {
      "tidemark " + number(),
      "Java " + System.getProperty("java.version") + ", " + System.getProperty("java.home")
    };
  }

  /** Returns the version of this build. */
  public static String number() {
    // Known without a look into the jar, which takes a tenth of the time that --version does.
    String packaged = Version.class.getPackage().getImplementationVersion();
    return packaged == null ? written() : packaged;
  }

  /** Returns the version beside this class, for classes that aren't in a jar. */
  private static String written() {
    try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
      if (in == null) {
        throw new IllegalStateException("version.txt is missing from this build of Tidemark");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("can't read version.txt of this build of Tidemark", e);
    }
  }
}
