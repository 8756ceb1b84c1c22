// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

/**
 * Choice of the log by the verb: {@link ServerLog} for a server, SLF4J's simple one for all others.
 * Apart from both, so that a verb that doesn't serve loads neither. SLF4J is told by name, since it
 * would open every jar on the class path to see whether there is another log.
 */
public final class LoggingSetup {

  private static final String PROVIDER = "slf4j.provider";
  private static final String SERVER_LOG = "io.tidemark.cli.log.ServerLog";
  private static final String SIMPLE_LOG = "org.slf4j.simple.SimpleServiceProvider";

  private LoggingSetup() {}

  /** To be called before anything logs. */
  public static void configure(String[] arguments) {
    if (System.getProperty(PROVIDER) != null) {
      return;
    }
    boolean serves = arguments.length > 0 && arguments[0].equals("serve");
    System.setProperty(PROVIDER, serves ? SERVER_LOG : SIMPLE_LOG);
    System.setProperty("slf4j.internal.verbosity", "WARN"); // it would say that it was told so
  }
}
