// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.UtcTimestamp;
import java.time.Instant;
import java.util.Optional;

/** Reader of the fields of a document, which another program may have written. */
record JsonFields(ObjectNode json) {

  String text(String field) throws UnreadableDocumentException {
    return optionalText(field).orElseThrow(() -> wrong(field));
  }

  /** Returns the text of a field; empty when the field is missing or null. */
  Optional<String> optionalText(String field) throws UnreadableDocumentException {
    JsonNode value = json.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw wrong(field);
    }
    return Optional.of(value.textValue());
  }

  Instant moment(String field) throws UnreadableDocumentException {
    return optionalMoment(field).orElseThrow(() -> wrong(field));
  }

  Optional<Instant> optionalMoment(String field) throws UnreadableDocumentException {
    Optional<String> text = optionalText(field);
    Optional<Instant> moment = text.flatMap(UtcTimestamp::parse);
    if (text.isPresent() && moment.isEmpty()) {
      throw wrong(field);
    }
    return moment;
  }

  int number(String field, int otherwise) throws UnreadableDocumentException {
    JsonNode value = json.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt()) {
      throw wrong(field);
    }
    return value.intValue();
  }

  UnreadableDocumentException wrong(String field) {
    JsonNode value = json.path(field);
    return new UnreadableDocumentException(
        value.isMissingNode() ? "has no " + field : "has a " + field + " that can't be");
  }

  static void put(ObjectNode json, String field, Instant moment) {
    json.put(field, UtcTimestamp.format(moment));
  }

  static void put(ObjectNode json, String field, Optional<Instant> moment) {
    json.put(field, moment.map(UtcTimestamp::format).orElse(null));
  }
}
