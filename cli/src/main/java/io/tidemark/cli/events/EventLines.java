// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.events.GivenText.Line;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.InvalidPayloadException;
import io.tidemark.events.model.Publication;
import io.tidemark.events.view.GivenEvent;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;

/** Publishes lines of JSON, an event each. */
final class EventLines {

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

  /** Publishes what a line says. */
  Publication publish(Line line, Namespace namespace) {
    try {
      Publication publication =
          namespace.publish(GivenEvent.read(parse(line.text()), usualPriority));
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
}
