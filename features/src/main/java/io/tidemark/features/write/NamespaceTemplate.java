// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.model.Feature;
import io.tidemark.features.write.NamespaceBuilder.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Template for the namespaces of very many first states, as texts. Most of each is the same as in
 * all others. So the {@link NamespaceBuilder} makes one with placeholders for the varying values,
 * and it is split at these.
 */
final class NamespaceTemplate {

  private static final long SMALLEST = 100_000_000_000_000_000L;

  private final List<Piece> withCrid;
  private final List<Piece> withoutCrid;

  /** The value that follows a piece of text. */
  private enum Slot {
    NUMBER,
    CLOCK,
    TAGS,
    CRID,
    QRID,
    EXTEND,
    NOTHING
  }

  private record Piece(String text, Slot then) {}

  /**
   * Values that vary between namespaces.
   *
   * @param i the number of the row
   * @param clock the server's clock
   * @param tags a list as JSON
   * @param crid a text as JSON; null when there is none
   */
  record Values(long i, long clock, String tags, @Nullable String crid, Extent extent) {}

  /** Random placeholders, which don't occur in client data. */
  private record Placeholders(
      long i, long clock, long extend, String tags, String crid, String qrid) {

    static Placeholders random() {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      return new Placeholders(
          random.nextLong(SMALLEST, 10 * SMALLEST),
          random.nextLong(SMALLEST, 10 * SMALLEST),
          random.nextLong(SMALLEST, 10 * SMALLEST),
          UUID.randomUUID().toString(),
          UUID.randomUUID().toString(),
          UUID.randomUUID().toString());
    }

    String of(Slot slot) {
      return switch (slot) {
        case NUMBER -> Long.toString(i);
        case CLOCK -> Long.toString(clock);
        case EXTEND -> Long.toString(extend);
        case TAGS -> "[\"" + tags + "\"]";
        case CRID -> "\"" + crid + "\"";
        case QRID -> qrid;
        case NOTHING -> "";
      };
    }
  }

  NamespaceTemplate(NamespaceBuilder namespaceBuilder) {
    Placeholders placeholders = Placeholders.random();
    this.withCrid = pieces(text(namespaceBuilder, placeholders, placeholders.crid()), placeholders);
    this.withoutCrid = pieces(text(namespaceBuilder, placeholders, null), placeholders);
  }

  private static String text(
      NamespaceBuilder namespaceBuilder, Placeholders placeholders, @Nullable String crid) {
    ObjectNode sent = JsonNodeFactory.instance.objectNode();
    ObjectNode given = sent.putObject("properties").putObject(Feature.XYZ).put("crid", crid);
    given.putArray("tags").add(placeholders.tags());
    Extent extent = new Extent(placeholders.qrid(), placeholders.extend());
    return namespaceBuilder
        .withClock(placeholders.clock())
        .createdInPlace(new Feature(sent, null), "", extent, placeholders.i())
        .data()
        .path("properties")
        .path(Feature.XYZ)
        .toString();
  }

  private static List<Piece> pieces(String text, Placeholders placeholders) {
    List<Piece> pieces = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      Slot next = Slot.NOTHING;
      int at = text.length();
      for (Slot slot : Slot.values()) {
        int found = slot == Slot.NOTHING ? -1 : text.indexOf(placeholders.of(slot), from);
        if (found >= 0 && found < at) {
          next = slot;
          at = found;
        }
      }
      pieces.add(new Piece(text.substring(from, at), next));
      from = at + placeholders.of(next).length();
    }
    return pieces;
  }

  /** Returns the namespace for the given values. */
  String of(Values values) {
    StringBuilder text = new StringBuilder(640);
    for (Piece piece : values.crid() == null ? withoutCrid : withCrid) {
      text.append(piece.text());
      switch (piece.then()) {
        case NUMBER -> text.append(values.i());
        case CLOCK -> text.append(values.clock());
        case TAGS -> text.append(values.tags());
        case CRID -> text.append(values.crid());
        case QRID -> text.append(values.extent().qrid());
        case EXTEND -> text.append(values.extent().extend());
        case NOTHING -> {}
      }
    }
    return text.toString();
  }
}
