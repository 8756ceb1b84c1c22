// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

/**
 * Who logs: of a server {@link ServerLog}, of all other verbs what is on the class path. Apart from
 * both, so that a verb that doesn't serve loads neither.
 */
public final class LogChoice {

  private static final String SERVER_LOG = "io.tidemark.cli.log.ServerLog";

  private LogChoice() {}

  /** To be called before anything logs. */
  public static void make(String[] arguments) {
    boolean serves = arguments.length > 0 && arguments[0].equals("serve");
    if (serves && System.getProperty("slf4j.provider") == null) {
      System.setProperty("slf4j.provider", SERVER_LOG);
      System.setProperty("slf4j.internal.verbosity", "WARN"); // it would say that it was told so
    }
  }
}
