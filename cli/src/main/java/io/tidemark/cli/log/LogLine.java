// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.event.Level;

/**
 * Entry of the log.
 *
 * @param members structured fields, in order, the request's id among them
 */
record LogLine(
    Instant at,
    Level level,
    String logger,
    String message,
    Map<String, Object> members,
    Optional<Throwable> failure) {

  String in(LogFormat format) {
    return format == LogFormat.JSON ? json() : text();
  }

  private String json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("time", at.toString());
    json.put("level", level.name().toLowerCase(Locale.ROOT));
    json.put("logger", logger);
    json.put("message", message);
    members.forEach(
        (name, value) -> {
          if (value instanceof Integer || value instanceof Long) {
            json.put(name, ((Number) value).longValue());
          } else if (value instanceof Number number) {
            json.put(name, number.doubleValue());
          } else {
            json.put(name, String.valueOf(value));
          }
        });
    failure.ifPresent(e -> json.put("failure", trace(e)));
    return json.toString();
  }

  /** Returns the entry on one line, with escapes, so that a message can't forge other lines. */
  private String text() {
    StringBuilder line = new StringBuilder();
    line.append(at).append(' ').append(level).append(' ').append(logger).append(": ");
    line.append(message.replaceAll("\\p{Cntrl}", " "));
    members.forEach(
        (name, value) ->
            line.append(' ')
                .append(name)
                .append('=')
                .append(String.valueOf(value).replaceAll("[\\s\\p{Cntrl}]", "_")));
    failure.ifPresent(e -> line.append(System.lineSeparator()).append(trace(e).stripTrailing()));
    return line.toString();
  }

  private static String trace(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
