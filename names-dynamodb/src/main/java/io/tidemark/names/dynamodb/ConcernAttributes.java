// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Attributes that a concern's item has.
 *
 * <p>The payload is a map. Beside it may stand its JSON as text, which then counts: when the map
 * can't carry it (see {@link JsonAttributes}), and for a config also when only the order of its
 * keys or its spelling would be lost, since the set-up of a graph source comes back as it was
 * written. Attributes of other forms are read, and gone with the next write.
 */
enum ConcernAttributes {
  HEAD(Concern.HEAD, "commit_t", "commit"),
  INDEX(Concern.INDEX, "index_t", "index"),
  STATUS(Concern.STATUS, "status_v", "status"),
  CONFIG(Concern.CONFIG, "config_v", "config");

  private static final ConcernValue READY =
      ConcernValue.of(1, Payload.parse("{\"state\":\"ready\"}"));

  private final Concern concern;
  private final String watermark;
  private final String payload;

  ConcernAttributes(Concern concern, String watermark, String payload) {
    this.concern = concern;
    this.watermark = watermark;
    this.payload = payload;
  }

  static ConcernAttributes of(Concern concern) {
    return switch (concern) {
      case HEAD -> HEAD;
      case INDEX -> INDEX;
      case STATUS -> STATUS;
      case CONFIG -> CONFIG;
    };
  }

  Concern concern() {
    return concern;
  }

  /** Returns the sort key of the item. */
  String sk() {
    return concern.text();
  }

  String watermark() {
    return watermark;
  }

  String payload() {
    return payload;
  }

  /** Returns the payload's JSON as text, where the map isn't enough. */
  String text() {
    return payload + "_json";
  }

  /**
   * Attributes that hold the payload, or a part of it, where it isn't a map; see {@link
   * FlureeScalars}.
   */
  List<String> legacyPayloadAttributes() {
    return switch (this) {
      case HEAD -> List.of("commit_id", "commit_address");
      case INDEX -> List.of("index_id", "index_address");
      case STATUS -> List.of("status_meta");
      case CONFIG -> List.of("default_context_id", "default_context_address", "config_meta");
    };
  }

  /** Returns all attributes that hold the payload, or a part of it, in one form or another. */
  List<String> payloadAttributes() {
    List<String> forms = new ArrayList<>(List.of(payload, text(), AttributeNames.EXACT));
    forms.addAll(legacyPayloadAttributes());
    return forms;
  }

  /**
   * Returns the attributes that would count in place of a map, if they stood beside it: its text,
   * and a pointer of a program that doesn't know of maps. What we write ourselves has one form
   * only.
   */
  List<String> overridingAttributes() {
    List<String> rivals = new ArrayList<>(List.of(text()));
    rivals.addAll(externalPointer());
    return rivals;
  }

  /** Returns the pointer of a program that doesn't know of maps. */
  List<String> externalPointer() {
    return isPointer() ? legacyPayloadAttributes().subList(0, 1) : List.of();
  }

  /** Returns whether the payload says where something is. */
  boolean isPointer() {
    return this == HEAD || this == INDEX;
  }

  /** Returns all attributes that say something about the concern's state. */
  List<String> stateAttributes() {
    List<String> known =
        new ArrayList<>(
            List.of(
                watermark,
                AttributeNames.WRITE_ID,
                AttributeNames.RETRACTED,
                AttributeNames.RESERVED_BY));
    known.addAll(payloadAttributes());
    if (this == INDEX) {
      known.add(AttributeNames.INDEX_REV);
    }
    return known;
  }

  /** Returns the state of a record that was just created, and of an item that got lost. */
  ConcernValue initial() {
    return this == STATUS ? READY : ConcernValue.UNBORN;
  }

  static Stream<ConcernAttributes> all() {
    return Stream.of(values());
  }
}
