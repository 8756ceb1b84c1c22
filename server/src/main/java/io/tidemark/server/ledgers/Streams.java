// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.WireJson;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.WideNumbers;
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
 * Answers that are written as they are found: as one document, or as lines of JSON for who accepts
 * {@code application/x-ndjson}. One that can't be brought to its end is broken off, so that nobody
 * takes what there is for the whole: lines have no other sign of an end than the end of the answer.
 * What fails before 64 KB are written is a problem like any other.
 */
final class Streams {

  static final String LINES = "application/x-ndjson";

  private static final int UNSEEN = 64 << 10;

  private Streams() {}

  /** Whether a caller wants lines. */
  static boolean wantsLines(Call call) {
    return call.header("Accept").filter(types -> types.contains(LINES)).isPresent();
  }

  /** What is held while an answer is written. */
  static final class Held implements Closeable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T one) {
      all.push(one);
      return one;
    }

    /** Gives back what was taken last first. */
    @Override
    public void close() {
      RuntimeException first = null;
      for (AutoCloseable each : all) {
        try {
          each.close();
        } catch (Throwable e) { // whatever it is, the others are given back
          first = first == null ? new IllegalStateException(e) : first;
        }
      }
      all.clear();
      if (first != null) {
        throw first;
      }
    }
  }

  /** Writes an answer. */
  @FunctionalInterface
  interface Body {
    void to(Sheet sheet) throws IOException;
  }

  private static Reply reply(
      Call call, String type, Map<String, String> headers, Held held, Body body) {
    boolean wideAsText = WideNumbers.asText(call);
    return new Reply.Streamed(
        200,
        type,
        Reply.Writing.holding(
            held,
            out -> {
              try {
                Writer writer =
                    new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), UNSEEN);
                body.to(new Sheet(writer, wideAsText));
                writer.flush();
              } catch (UncheckedIOException e) {
                throw e.getCause();
              }
            }),
        headers);
  }

  /**
   * Result that is known as far as its head, before a byte of the answer is written.
   *
   * @param held what is closed once the answer is written
   */
  record Started<R extends AutoCloseable>(R result, Held held) {

    Reply reply(Call call, String type, Map<String, String> headers, Body body) {
      return Streams.reply(call, type, headers, held, body);
    }
  }

  /** Produces a result. */
  @FunctionalInterface
  interface Starting<R> {
    R start(Held held) throws IOException;
  }

  /** Starts a result; if that fails, nothing stays held. */
  static <R extends AutoCloseable> Started<R> start(Starting<R> starting) throws IOException {
    Held held = new Held();
    try {
      return new Started<>(held.add(starting.start(held)), held);
    } catch (Throwable e) {
      held.close();
      throw e;
    }
  }

  /** Where an answer is written. */
  static final class Sheet {
    private final Writer out;
    private final boolean wideAsText;

    private Sheet(Writer out, boolean wideAsText) {
      this.out = out;
      this.wideAsText = wideAsText;
    }

    /** Writes a record, a document, or the text of one, on a line. */
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
        return WideNumbers.asText(WireJson.tree(result)).toString();
      }
      return result instanceof JsonNode json ? json.toString() : WireJson.text(result);
    }

    /**
     * Writes a document whose last member is a list that is too long to be held.
     *
     * @param head record or document of the other members
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
