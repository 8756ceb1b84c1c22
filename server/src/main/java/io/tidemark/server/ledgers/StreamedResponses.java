// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.WireJson;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.LargeIntegerEncoding;
import io.tidemark.server.http.RouteResponse;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Support for answers that are written as results are found: as one document, or as lines of JSON
 * for callers that accept {@code application/x-ndjson}. An incomplete answer is aborted, so that
 * the client doesn't take it for the whole. Lines have no other end marker than the end of the
 * answer. A failure within the first 64 KB becomes a problem like any other.
 */
final class StreamedResponses {

  static final String LINES = "application/x-ndjson";

  private static final int UNSEEN = 64 << 10;

  private StreamedResponses() {}

  /** Returns whether a caller accepts lines. */
  static boolean acceptsLines(HttpRequestContext httpRequestContext) {
    return httpRequestContext.header("Accept").filter(types -> types.contains(LINES)).isPresent();
  }

  /** Resources that are held while an answer is written. */
  static final class Resources implements Closeable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T one) {
      all.push(one);
      return one;
    }

    /** Closes the resources in reverse order. */
    @Override
    public void close() {
      RuntimeException first = null;
      for (AutoCloseable each : all) {
        try {
          each.close();
        } catch (Throwable e) { // whatever it is, the others are closed
          first = first == null ? new IllegalStateException(e) : first;
        }
      }
      all.clear();
      if (first != null) {
        throw first;
      }
    }
  }

  /** Writer of the content of an answer. */
  @FunctionalInterface
  interface ContentWriter {
    void writeTo(JsonStreamWriter jsonStreamWriter) throws IOException;
  }

  private static RouteResponse reply(
      HttpRequestContext httpRequestContext,
      String type,
      Map<String, String> headers,
      Resources resources,
      ContentWriter contentWriter) {
    boolean wideAsText = LargeIntegerEncoding.asText(httpRequestContext);
    return new RouteResponse.Streamed(
        200,
        type,
        RouteResponse.BodyWriter.closing(
            resources,
            out -> {
              try {
                Writer writer =
                    new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), UNSEEN);
                contentWriter.writeTo(new JsonStreamWriter(writer, wideAsText));
                writer.flush();
              } catch (UncheckedIOException e) {
                throw e.getCause();
              }
            }),
        headers);
  }

  /**
   * Result whose header is known before a byte of the answer is written.
   *
   * @param held resources that are closed once the answer is written
   */
  record StartedResult<R extends AutoCloseable>(R result, Resources held) {

    RouteResponse reply(
        HttpRequestContext httpRequestContext,
        String type,
        Map<String, String> headers,
        ContentWriter contentWriter) {
      return StreamedResponses.reply(httpRequestContext, type, headers, held, contentWriter);
    }
  }

  /** Starter of a result. */
  @FunctionalInterface
  interface ResultStarter<R> {
    R start(Resources resources) throws IOException;
  }

  /** Starts a result; if that fails, all resources are closed. */
  static <R extends AutoCloseable> StartedResult<R> start(ResultStarter<R> resultStarter)
      throws IOException {
    Resources resources = new Resources();
    try {
      return new StartedResult<>(resources.add(resultStarter.start(resources)), resources);
    } catch (Throwable e) {
      resources.close();
      throw e;
    }
  }

  /** Writer of JSON to an answer. */
  static final class JsonStreamWriter {
    private final Writer out;
    private final boolean wideAsText;

    private JsonStreamWriter(Writer out, boolean wideAsText) {
      this.out = out;
      this.wideAsText = wideAsText;
    }

    /** Writes a record, a document or the text of a document on a line. */
    void record(Object result) {
      try {
        out.write(text(result));
        out.write('\n');
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private String text(Object result) {
      if (result instanceof String text) {
        return text;
      }
      if (wideAsText) {
        return LargeIntegerEncoding.asText(WireJson.tree(result)).toString();
      }
      return result instanceof JsonNode json ? json.toString() : WireJson.text(result);
    }

    /**
     * Writes a document whose last member is a list that is too long to be held in memory.
     *
     * @param head record or document with the other members
     * @param items records, documents or texts of documents
     */
    void document(Object head, String list, Consumer<Consumer<Object>> items) {
      try {
        String text = text(head);
        String before = text.equals("{}") ? "{" : text.substring(0, text.length() - 1) + ",";
        out.write(before + "\"" + list + "\":[");
        boolean[] first = {true};
        items.accept(item -> item(item, first));
        out.write("]}\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void item(Object item, boolean[] first) {
      try {
        out.write((first[0] ? "" : ",") + text(item));
        first[0] = false;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
