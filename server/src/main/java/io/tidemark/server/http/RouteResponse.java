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

/** Answer to a request. */
public sealed interface RouteResponse {

  /** Media type of JSON documents, except problems and formats with a type of their own. */
  String JSON = "application/json";

  /**
   * Headers of an answer whose parts must arrive as they are written. They forbid caching, and keep
   * this server and proxies from compressing or buffering the answer.
   */
  Map<String, String> AT_ONCE =
      Map.of("Cache-Control", "no-store, no-transform", "X-Accel-Buffering", "no");

  /**
   * Maximum nesting depth of answers. A payload may be nested as deep as a parser allows, and lies
   * some levels deeper in an answer.
   */
  int DEEPEST = 1100;

  /** Returns the mapper that writes documents. */
  static JsonMapper mapper() {
    StreamWriteConstraints deep = StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build();
    return new JsonMapper(JsonFactory.builder().streamWriteConstraints(deep).build());
  }

  int status();

  Map<String, String> headers();

  /** Returns an answer with a document. */
  static Json ok(JsonNode body) {
    return json(200, body);
  }

  static Json json(int status, JsonNode body) {
    return new Json(status, JSON, body, Map.of());
  }

  /** Returns an answer without a body. */
  static Empty empty(int status) {
    return new Empty(status, Map.of());
  }

  /**
   * Returns a problem of a request that was understood; problems of malformed requests are thrown.
   */
  static Failed problem(Problem problem) {
    return new Failed(problem, Map.of());
  }

  /** Returns whether the answer must leave the server as it was produced, without compression. */
  default boolean isUntransformed() {
    return headers().getOrDefault("Cache-Control", "").contains("no-transform");
  }

  /** Returns this answer with one more header. */
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

  /** Answer with a JSON document. */
  record Json(int status, String type, JsonNode body, Map<String, String> headers)
      implements RouteResponse {}

  /** Answer with bytes that are in memory. */
  @SuppressWarnings("ArrayRecordComponent") // passed from one owner to the next, and never compared
  record Bytes(int status, String type, byte[] content, Map<String, String> headers)
      implements RouteResponse {}

  /** Answer of any length that is written piece by piece. */
  record Streamed(int status, String type, BodyWriter writing, Map<String, String> headers)
      implements RouteResponse {}

  /** Live answer that is written whenever there is news; no thread waits for that. */
  record Push(int status, String type, PushChannel.Producer source, Map<String, String> headers)
      implements RouteResponse {}

  /** Answer without a body. */
  record Empty(int status, Map<String, String> headers) implements RouteResponse {}

  /** Answer with a problem. */
  record Failed(Problem problem, Map<String, String> headers) implements RouteResponse {
    @Override
    public int status() {
      return problem.status();
    }
  }

  /**
   * Writer of a body. If it fails after the first bytes were sent, the connection is aborted, so
   * that the client sees that the answer is incomplete. It is always closed, even if the body isn't
   * wanted.
   */
  @FunctionalInterface
  interface BodyWriter extends Closeable {
    void writeTo(OutputStream out) throws IOException;

    @Override
    default void close() throws IOException {}

    /** Returns whether the body reports work that has begun and continues without a reader. */
    default boolean hasBegun() {
      return false;
    }

    /** Returns a writer that uses an open resource and closes it. */
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
