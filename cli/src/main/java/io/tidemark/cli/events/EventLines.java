// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.events.GivenText.Line;
import io.tidemark.events.InvalidPayloadException;
import io.tidemark.events.Namespace;
import io.tidemark.events.NewEvent;
import io.tidemark.events.Publication;
import io.tidemark.ledger.json.CanonicalJson;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Set;

/** Publishes lines of JSON, an event each. */
final class EventLines {

  /** What a line that was read from a bus says too, and a new event has of its own. */
  private static final Set<String> PASSED_OVER =
      Set.of("namespace", "created_at", "status", "published");

  private static final Set<String> KNOWN =
      Set.of("type", "payload", "priority", "id", "root_event_id", "chain_depth");

  private final int usualPriority;
  private long published;

  /**
   * Nothing yet.
   *
   * @param usualPriority of those that say none
   */
  EventLines(int usualPriority) {
    this.usualPriority = usualPriority;
  }

  /** A line couldn't be published; those before it are. Its code is that of the reason. */
  static final class LineFailedException extends TidemarkException {
    private static final long serialVersionUID = 1L;

    LineFailedException(Line line, long before, TidemarkException e) {
      super(
          e.code(),
          line.place()
              + ": "
              + e.getMessage()
              + " ("
              + Shown.count(before, "event")
              + " before it "
              + (before == 1 ? "is" : "are")
              + " published)",
          e);
    }
  }

  /** Publishes what a line says. */
  Publication publish(Line line, Namespace namespace) {
    try {
      Publication publication = namespace.publish(event(line.text()));
      published++;
      return publication;
    } catch (TidemarkException e) {
      throw new LineFailedException(line, published, e);
    }
  }

  /** How many lines are published. */
  long published() {
    return published;
  }

  private NewEvent event(String line) {
    ObjectNode json = parse(line);
    for (Iterator<String> fields = json.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!KNOWN.contains(field) && !PASSED_OVER.contains(field)) {
        throw new InvalidPayloadException(
            "an event has no \"" + field + "\"; put what is your own into its payload");
      }
    }
    JsonNode payload = json.path("payload");
    NewEvent event =
        NewEvent.of(text(json, "type"), payload.isMissingNode() ? "{}" : payload.toString())
            .withPriority(number(json, "priority", usualPriority));
    event = json.has("id") ? event.withId(text(json, "id")) : event;
    return json.has("root_event_id") && json.path("chain_depth").asInt() > 0
        ? event.withLineage(text(json, "root_event_id"), number(json, "chain_depth", 0))
        : event;
  }

  private static ObjectNode parse(String line) {
    try {
      if (CanonicalJson.parse(line) instanceof ObjectNode object) {
        return object;
      }
    } catch (IOException e) {
      throw new InvalidPayloadException("it is no JSON: " + e.getMessage());
    }
    throw new InvalidPayloadException("it isn't a JSON object; write an event a line");
  }

  private static String text(ObjectNode json, String field) {
    JsonNode value = json.path(field);
    if (!value.isTextual()) {
      throw new InvalidPayloadException(
          value.isMissingNode()
              ? "it has no \"" + field + "\"; add it"
              : "its \"" + field + "\" is " + value + "; make it a text");
    }
    return value.textValue();
  }

  private static int number(ObjectNode json, String field, int otherwise) {
    JsonNode value = json.path(field);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt()) {
      throw new InvalidPayloadException(
          "its \"" + field + "\" is " + value + "; make it a whole number");
    }
    return value.intValue();
  }
}
