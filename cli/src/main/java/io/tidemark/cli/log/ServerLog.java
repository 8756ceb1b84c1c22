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
 * Where a server's log goes; SLF4J makes it when the process was told to serve, see {@link
 * LoggingSetup}.
 */
public final class ServerLog implements SLF4JServiceProvider {

  /** Libraries say less than Tidemark does. */
  private static final String OWN = "io.tidemark.";

  /** Its more talkative levels show whole requests, tokens included. */
  private static final String TELLS_ALL = "org.eclipse.jetty.";

  /** Told by the verb once it has read its options; until then lines are text. */
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

  /** {@code -Dtidemark.log=debug} has others say so much, to find out what is wrong. */
  private static Level level(String logger) {
    if (logger.startsWith(TELLS_ALL)) {
      return Level.WARN;
    }
    Level usual = logger.startsWith(OWN) ? Level.INFO : Level.WARN;
    return Level.valueOf(System.getProperty("tidemark.log", usual.name()).toUpperCase(Locale.ROOT));
  }

  /** Lines are written so from now on. */
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
    // all is made already
  }
}
