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
 * LogChoice}.
 */
public final class ServerLog implements SLF4JServiceProvider {

  /** Libraries say less than Tidemark does. */
  private static final String OWN = "io.tidemark.";

  /** Told by the verb once it has read its options; until then lines are text. */
  private static volatile LogFormat format = LogFormat.TEXT;

  private final Map<String, LineLogger> loggers = new ConcurrentHashMap<>();
  private final RequestContext context = new RequestContext();
  private final BasicMarkerFactory markers = new BasicMarkerFactory();
  private final PrintStream out;

  /** {@code -Dtidemark.log=debug} has everybody say so much, to find out what is wrong. */
  private final Level own = level(Level.INFO);

  private final Level libraries = level(Level.WARN);

  public ServerLog() {
    this(System.err);
  }

  ServerLog(PrintStream out) {
    this.out = out;
  }

  private static Level level(Level usual) {
    String wanted = System.getProperty("tidemark.log", usual.name());
    return Level.valueOf(wanted.toUpperCase(Locale.ROOT));
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
    return name ->
        loggers.computeIfAbsent(
            name, n -> new LineLogger(n, n.startsWith(OWN) ? own : libraries, this));
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
