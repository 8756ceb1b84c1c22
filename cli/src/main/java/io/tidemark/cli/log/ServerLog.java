// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Logging backend of a server; SLF4J creates it when the process serves, see {@link LoggingSetup}.
 */
public final class ServerLog implements SLF4JServiceProvider {

  /** Prefix of Tidemark's loggers, which log at a lower level than libraries do by default. */
  private static final String OWN = "io.tidemark.";

  /** Prefix of loggers whose lower levels log whole requests, tokens included. */
  private static final String TELLS_ALL = "org.eclipse.jetty.";

  /** Format, set by the verb once it has read its options; until then lines are text. */
  private static volatile LogFormat format = LogFormat.TEXT;

  private final Map<String, LineLogger> loggers = new ConcurrentHashMap<>();
  private final LogContext context = new LogContext();
  private final BasicMarkerFactory markers = new BasicMarkerFactory();
  private final PrintStream out;

  public ServerLog() {
    this(System.err);
  }

  ServerLog(PrintStream out) {
    this.out = out;
  }

  /** Returns the level of a logger; {@code -Dtidemark.log=debug} lowers it for troubleshooting. */
  private static Level level(String logger) {
    if (logger.startsWith(TELLS_ALL)) {
      return Level.WARN;
    }
    Level usual = logger.startsWith(OWN) ? Level.INFO : Level.WARN;
    return Level.valueOf(System.getProperty("tidemark.log", usual.name()).toUpperCase(Locale.ROOT));
  }

  /** Sets the format of the following lines. */
  public static void use(LogFormat chosen) {
    format = chosen;
  }

  void write(LogLine line) {
    out.println(line.in(format));
  }

  Map<String, String> context() {
    return context.getCopyOfContextMap();
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> loggers.computeIfAbsent(name, n -> new LineLogger(n, level(n), this));
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {
    // the constructor has created everything
  }
}
