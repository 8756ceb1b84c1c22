// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What this thread and PostgreSQL tell each other, as the driver's own log has it: so a test sees
 * which statements are really sent, and how many.
 */
final class DriverLog implements AutoCloseable {

  private static final Logger LOGGER = Logger.getLogger("org.postgresql.core.v3.QueryExecutorImpl");

  private static final Pattern SAVEPOINT =
      Pattern.compile("FE=> Parse\\(.*query=\"(SAVEPOINT|RELEASE|ROLLBACK TO)");

  private static final String NOTICE = "<=BE NoticeResponse";

  private final List<String> lines = new ArrayList<>();
  private final Listener listener = new Listener(Thread.currentThread().getId(), lines);

  private DriverLog() {
    listener.setLevel(Level.FINEST);
    LOGGER.addHandler(listener);
    LOGGER.setUseParentHandlers(false);
    LOGGER.setLevel(Level.FINEST);
  }

  /** Listens until it is closed. */
  static DriverLog listen() {
    return new DriverLog();
  }

  /** How many statements were sent, those that begin and end transactions included. */
  long statements() {
    return lines.stream()
        .filter(line -> line.contains("FE=> Execute(") || line.contains("FE=> SimpleQuery("))
        .count();
  }

  /** The statements about savepoints, without their names. */
  List<String> savepoints() {
    return lines.stream()
        .map(SAVEPOINT::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .toList();
  }

  /** What the server had to say beside its answers. */
  List<String> notices() {
    return lines.stream().filter(line -> line.contains(NOTICE)).toList();
  }

  @Override
  public void close() {
    LOGGER.setLevel(null);
    LOGGER.setUseParentHandlers(true);
    LOGGER.removeHandler(listener);
  }

  private static final class Listener extends Handler {

    private final SimpleFormatter text = new SimpleFormatter();
    private final long thread;
    private final List<String> lines;

    Listener(long thread, List<String> lines) {
      this.thread = thread;
      this.lines = lines;
    }

    @Override
    public void publish(LogRecord message) {
      if (message.getLongThreadID() == thread) {
        lines.add(text.formatMessage(message));
      }
    }

    @Override
    public void flush() {
      // nothing is held back
    }

    @Override
    public void close() {
      // nothing is open
    }
  }
}
