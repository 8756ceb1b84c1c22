// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/** Logger that writes lines of at least a level. */
final class LineLogger extends LegacyAbstractLogger implements LoggingEventAware {

  private static final long serialVersionUID = 1;

  private final transient ServerLog log;
  private final int least;

  LineLogger(String name, Level least, ServerLog log) {
    this.name = name;
    this.least = least.toInt();
    this.log = log;
  }

  @Override
  public void log(LoggingEvent event) {
    Map<String, Object> members = new LinkedHashMap<>();
    @Nullable List<KeyValuePair> pairs = event.getKeyValuePairs();
    if (pairs != null) {
      pairs.forEach(pair -> members.put(pair.key, pair.value));
    }
    write(
        event.getLevel(),
        event.getMessage(),
        event.getArgumentArray(),
        event.getThrowable(),
        members);
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      @Nullable String message,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    write(level, message, arguments, failure, new LinkedHashMap<>());
  }

  private void write(
      Level level,
      @Nullable String message,
      Object @Nullable [] arguments,
      @Nullable Throwable failure,
      Map<String, Object> members) {
    log.context().forEach(members::putIfAbsent);
    log.write(
        new LogLine(
            Instant.now(),
            level,
            name,
            String.valueOf(MessageFormatter.basicArrayFormat(message, arguments)),
            members,
            Optional.ofNullable(failure)));
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  private boolean writes(Level level) {
    return level.toInt() >= least;
  }

  @Override
  public boolean isTraceEnabled() {
    return writes(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return writes(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return writes(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return writes(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return writes(Level.ERROR);
  }
}
