// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.tidemark.objects.JsonErrors;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;

/**
 * Codec of payloads: the text of a JSON object in canonical form, and the records that it is read
 * as and written from. A field that the record doesn't have is ignored, so that a publisher may add
 * fields before handlers know them. A missing field of the record is null, or an error if it can't
 * be.
 */
public final class PayloadJson {

  private static final JsonMapper RECORDS =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private PayloadJson() {}

  /**
   * Returns the canonical text of a payload.
   *
   * @throws InvalidEventPayloadException when it is no JSON object, or too large
   */
  public static String check(String payload, int maxBytes) {
    String canonical = canonical(payload);
    int bytes = canonical.length(); // canonical JSON is ASCII
    if (bytes > maxBytes) {
      throw new InvalidEventPayloadException(
          "the payload is "
              + bytes
              + " bytes of JSON and at most "
              + maxBytes
              + " are allowed; store what is large elsewhere and publish where it is");
    }
    return canonical;
  }

  private static String canonical(String payload) {
    try {
      // In another, as it will be in the event, which has to be readable afterwards.
      JsonNode tree = CanonicalJson.parse("[" + payload + "]");
      if (tree.size() == 1 && tree.get(0) instanceof ObjectNode object) {
        return CanonicalJson.write(object);
      }
    } catch (IOException e) {
      throw new InvalidEventPayloadException(
          "the payload is no JSON (" + e.getMessage() + "); give a JSON object");
    }
    throw new InvalidEventPayloadException("the payload isn't a JSON object; wrap it in one");
  }

  /** Returns the tree of a payload that was checked. */
  public static ObjectNode tree(String payload) {
    try {
      return (ObjectNode) CanonicalJson.parse(payload);
    } catch (IOException e) {
      throw new IllegalStateException("a payload that is no JSON: " + e.getMessage(), e);
    }
  }

  /** Returns the payload of a record as text. */
  public static String write(Record event) {
    try {
      return new String(RECORDS.writeValueAsBytes(event), UTF_8);
    } catch (JsonProcessingException e) {
      throw new InvalidEventPayloadException(
          event.getClass().getName()
              + " can't be written as JSON: "
              + JsonErrors.reason(e)
              + "; change its components");
    }
  }

  /** Reads the payload of an event as a record. */
  public static <R extends Record> R read(Event event, Class<R> type) {
    try {
      return RECORDS.readValue(event.payload(), type);
    } catch (JsonProcessingException e) {
      throw new UndecodablePayloadException(
          "the payload of event "
              + event.id()
              + " of type "
              + event.type()
              + " is no "
              + type.getSimpleName()
              + ": "
              + JsonErrors.reason(e));
    }
  }
}
