// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.server.http.RouteResponse;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Buffer of the next bytes for a client. */
final class OutputBuffer {

  /** Approximate size of one write. */
  static final int CHUNK = 32 << 10;

  private static final JsonMapper JSON = RouteResponse.mapper();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);

  OutputBuffer add(String text) {
    bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  OutputBuffer add(byte[] text) {
    bytes.writeBytes(text);
    return this;
  }

  int size() {
    return bytes.size();
  }

  byte[] take() {
    return bytes.toByteArray();
  }

  /** Returns a document as bytes on one line. */
  static byte[] of(JsonNode json) {
    try {
      return JSON.writeValueAsBytes(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // a tree can always be written
    }
  }

  /** Returns a notice about the whole store, in the format of an event. */
  static ObjectNode notice(String type) {
    return JsonNodeFactory.instance.objectNode().put("type", type);
  }
}
