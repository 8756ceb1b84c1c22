// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.NewEvent;
import io.tidemark.names.Concern;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.Watermarks;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Mapper of changes in a nameservice to events.
 *
 * <table>
 *   <caption>Types of events</caption>
 *   <tr><td>{@code names.head.moved}, {@code names.index.moved}, {@code names.status.moved},
 *       {@code names.config.moved}</td><td>a concern of a record has moved to {@code watermark};
 *       {@code before} is its watermark in the event before, null if there was none</td></tr>
 *   <tr><td>{@code names.record.appeared}, {@code names.record.retracted}, {@code
 *       names.record.restored}, {@code names.record.purged}, {@code
 *       names.record.unreadable}</td><td>a change of a record as a whole</td></tr>
 * </table>
 *
 * All have {@code names}, the name of the source, {@code record}, such as {@code orders:main}, and
 * unless the record is gone {@code marks}, the watermarks of all its concerns. A reader fetches the
 * values they point to from the nameservice.
 *
 * <p>A record that appears is followed by the moves of the concerns that it has already, so that a
 * handler that waits for heads needn't know of records.
 *
 * @param source name of the source
 */
record NameEventMapper(String source) {

  /** Returns the events for a change that a watch reports, in their order. */
  List<NewEvent> eventsOf(NameEvent told) {
    List<NewEvent> events = new ArrayList<>();
    if (told.type() != NameEvent.Type.MOVED) {
      events.add(ofRecord(told));
    }
    told.now()
        .ifPresent(
            now ->
                new TreeSet<>(told.moved())
                    .stream()
                        .filter(concern -> hasMoved(told, now.of(concern)))
                        .forEach(concern -> events.add(ofConcern(told, now, concern))));
    return events;
  }

  /** Returns whether a concern has moved; one that a newly seen record doesn't have yet hasn't. */
  private static boolean hasMoved(NameEvent told, Watermarks.ConcernWatermark concernWatermark) {
    return told.before().isPresent() || concernWatermark.watermark() > 0;
  }

  private NewEvent ofRecord(NameEvent told) {
    String type = "names.record." + told.type().name().toLowerCase(Locale.ROOT);
    ObjectNode payload = payload(told);
    told.problem().ifPresent(problem -> payload.put("problem", problem));
    String id =
        EventIds.of(
            type,
            source,
            told.address().toString(),
            state(told.now().or(told::before)),
            told.problem().orElse(""));
    return NewEvent.of(type, payload).withId(id);
  }

  /** Returns a text that identifies one life of a record, and each time that it is retracted. */
  private static String state(Optional<Watermarks> marks) {
    return marks.map(of -> born(of) + " " + of.status()).orElse("");
  }

  private static String born(Watermarks watermarks) {
    return watermarks.createdAt().map(Object::toString).orElse("");
  }

  private NewEvent ofConcern(NameEvent told, Watermarks now, Concern concern) {
    String type = "names." + concern.text() + ".moved";
    Watermarks.ConcernWatermark concernWatermark = now.of(concern);
    ObjectNode payload =
        payload(told).put("concern", concern.text()).put("watermark", concernWatermark.watermark());
    payload.put("before", told.before().map(was -> was.of(concern).watermark()).orElse(null));
    String id =
        EventIds.of(
            type,
            source,
            told.address().toString(),
            born(now),
            concernWatermark.watermark() + " " + concernWatermark.digest(),
            concern == Concern.INDEX ? Long.toString(now.indexRev()) : "");
    return NewEvent.of(type, payload).withId(id);
  }

  private ObjectNode payload(NameEvent told) {
    ObjectNode payload =
        CanonicalJson.object().put("names", source).put("record", told.address().toString());
    told.now().ifPresent(now -> payload.set("marks", now.toJson()));
    return payload;
  }

  /** Parses JSON that this library wrote. */
  static JsonNode tree(String json) {
    try {
      return CanonicalJson.parse(json);
    } catch (IOException e) {
      throw new IllegalStateException("no JSON: " + e.getMessage(), e);
    }
  }
}
