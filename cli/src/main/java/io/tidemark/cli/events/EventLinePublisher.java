// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.PublishRequest;
import io.tidemark.api.events.PublishedEvent;
import io.tidemark.cli.events.TextArgument.Line;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.Optional;

/** Publisher of events from lines of JSON. */
final class EventLinePublisher {

  private final Optional<Integer> usualPriority;
  private long published;

  /**
   * Creates a publisher.
   *
   * @param usualPriority priority of events whose line has none
   */
  EventLinePublisher(Optional<Integer> usualPriority) {
    this.usualPriority = usualPriority;
  }

  /** Thrown when a line couldn't be published; earlier lines are. Its code is that of the cause. */
  static final class LineFailedException extends TidemarkException {
    private static final long serialVersionUID = 1L;

    LineFailedException(Line line, long before, TidemarkException e) {
      super(
          e.code(),
          e.kind(),
          line.place()
              + ": "
              + e.getMessage()
              + " ("
              + Plural.of(before, "event")
              + " before it "
              + (before == 1 ? "is" : "are")
              + " published)",
          e);
    }
  }

  /** Publishes the event of a line. */
  PublishedEvent publish(Line line, EventService events) {
    try {
      PublishRequest event = PublishRequest.read(parse(line.text()));
      PublishedEvent done =
          events.publish(event.withPriority(event.priority().or(() -> usualPriority)));
      published++;
      return done;
    } catch (TidemarkException e) {
      throw new LineFailedException(line, published, e);
    }
  }

  /** Returns the number of published lines. */
  long published() {
    return published;
  }

  /** Returns the payload that an argument, a file or standard input has. */
  static JsonNode payload(String argument) {
    String text = TextArgument.resolve(argument);
    try {
      return CanonicalJson.parse(text);
    } catch (IOException e) {
      throw invalid("the payload is no JSON: " + e.getMessage());
    }
  }

  private static TidemarkException invalid(String message) {
    return new TidemarkException(ErrorCode.INVALID_PAYLOAD, message);
  }

  private static ObjectNode parse(String line) {
    try {
      if (CanonicalJson.parse(line) instanceof ObjectNode object) {
        return object;
      }
    } catch (IOException e) {
      throw invalid("it is no JSON: " + e.getMessage());
    }
    throw invalid("it isn't a JSON object; write an event a line");
  }
}
