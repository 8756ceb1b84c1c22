// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

/**
 * Choice of the logging backend by the verb: {@link ServerLog} for a server, SLF4J's simple one for
 * the other verbs. This class is separate from both, so that a verb that doesn't serve loads
 * neither. The backend is set by name, since SLF4J would otherwise search every jar on the class
 * path for one.
 */
public final class LoggingSetup {

  private static final String PROVIDER = "slf4j.provider";
  private static final String SERVER_LOG = "io.tidemark.cli.log.ServerLog";
  private static final String SIMPLE_LOG = "org.slf4j.simple.SimpleServiceProvider";

  private LoggingSetup() {}

  /** Configures logging; to be called before anything logs. */
  public static void configure(String[] arguments) {
    if (System.getProperty(PROVIDER) != null) {
      return;
    }
    boolean serves = arguments.length > 0 && arguments[0].equals("serve");
    System.setProperty(PROVIDER, serves ? SERVER_LOG : SIMPLE_LOG);
    System.setProperty("slf4j.internal.verbosity", "WARN"); // it would say that it was told so
  }
}
