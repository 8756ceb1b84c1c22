// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.server.problem.Problem;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;

/** What a request is answered with. */
public sealed interface RouteResponse {

  /** The media type of all that is neither a problem nor has one of its own. */
  String JSON = "application/json";

  /**
   * Headers of an answer whose parts have to arrive as they are written: no cache keeps it, and
   * neither this server nor a proxy compresses it or waits until it has more of it.
   */
  Map<String, String> AT_ONCE =
      Map.of("Cache-Control", "no-store, no-transform", "X-Accel-Buffering", "no");

  /** A payload may be nested as deep as a parser allows, and lies some levels deeper in answers. */
  int DEEPEST = 1100;

  /** Writes documents. */
  static JsonMapper mapper() {
    StreamWriteConstraints deep = StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build();
    return new JsonMapper(JsonFactory.builder().streamWriteConstraints(deep).build());
  }

  int status();

  Map<String, String> headers();

  /** A document. */
  static Json ok(JsonNode body) {
    return json(200, body);
  }

  static Json json(int status, JsonNode body) {
    return new Json(status, JSON, body, Map.of());
  }

  /** Nothing but its status. */
  static Empty empty(int status) {
    return new Empty(status, Map.of());
  }

  /** A problem, of a request that was understood; what wasn't is thrown. */
  static Failed problem(Problem problem) {
    return new Failed(problem, Map.of());
  }

  /** Returns whether it has to leave the server as it was made, without compression. */
  default boolean isUntransformed() {
    return headers().getOrDefault("Cache-Control", "").contains("no-transform");
  }

  /** The same with one more header. */
  default RouteResponse with(String header, String value) {
    Map<String, String> more = new TreeMap<>(headers());
    more.put(header, value);
    if (this instanceof Json json) {
      return new Json(json.status, json.type, json.body, more);
    }
    if (this instanceof Bytes bytes) {
      return new Bytes(bytes.status, bytes.type, bytes.content, more);
    }
    if (this instanceof Streamed streamed) {
      return new Streamed(streamed.status, streamed.type, streamed.writing, more);
    }
    if (this instanceof Push push) {
      return new Push(push.status, push.type, push.source, more);
    }
    if (this instanceof Failed failed) {
      return new Failed(failed.problem, more);
    }
    return new Empty(status(), more);
  }

  /** A JSON document. */
  record Json(int status, String type, JsonNode body, Map<String, String> headers)
      implements RouteResponse {}

  /** Bytes that are at hand. */
  @SuppressWarnings("ArrayRecordComponent") // handed from one to the next, and never compared
  record Bytes(int status, String type, byte[] content, Map<String, String> headers)
      implements RouteResponse {}

  /** What is written by and by, however long it is. */
  record Streamed(int status, String type, BodyWriter writing, Map<String, String> headers)
      implements RouteResponse {}

  /** What is written whenever there is something to write; no thread waits for that. */
  record Push(int status, String type, PushChannel.Producer source, Map<String, String> headers)
      implements RouteResponse {}

  /** Nothing but its status. */
  record Empty(int status, Map<String, String> headers) implements RouteResponse {}

  /** A problem. */
  record Failed(Problem problem, Map<String, String> headers) implements RouteResponse {
    @Override
    public int status() {
      return problem.status();
    }
  }

  /**
   * Writes a body. When it fails after the first bytes are out, the connection is broken off, so
   * that the reader can't take what there is for the whole. It is closed in any case, also when
   * nobody wants the body.
   */
  @FunctionalInterface
  interface BodyWriter extends Closeable {
    void writeTo(OutputStream out) throws IOException;

    @Override
    default void close() throws IOException {}

    /** Returns whether the body tells of work that has begun, and goes on without a reader. */
    default boolean hasBegun() {
      return false;
    }

    /** One that needs something which is open already, and is closed with it. */
    static BodyWriter closing(Closeable held, BodyWriter bodyWriter) {
      return new BodyWriter() {
        @Override
        public void writeTo(OutputStream out) throws IOException {
          bodyWriter.writeTo(out);
        }

        @Override
        public void close() throws IOException {
          held.close();
        }
      };
    }
  }
}
