// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.objects.StoreUnavailableException;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Answer of a server that is read while it comes: a document whose last member is a list, or lines
 * of JSON.
 *
 * @param <H> type of the head
 * @param <T> type of an item
 */
public final class StreamedDocument<H, T> implements ResultStream<H, T> {

  private final StreamedServerResponse answer;
  private final JsonParser parser;
  private final H head;
  private final Function<JsonNode, T> item;
  private final boolean list;

  private StreamedDocument(
      StreamedServerResponse answer,
      JsonParser parser,
      H head,
      Function<JsonNode, T> item,
      boolean list) {
    this.answer = answer;
    this.parser = parser;
    this.head = head;
    this.item = item;
    this.list = list;
  }

  /** Opens a document; what precedes the list is its head. */
  public static <H, T> ResultStream<H, T> document(
      StreamedServerResponse answer, String list, Class<H> head, Function<JsonNode, T> item) {
    try {
      JsonParser parser = WireJson.parser(answer.body());
      ObjectNode members = JsonNodeFactory.instance.objectNode();
      boolean found = false;
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("it is no object");
      }
      while (!found && parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        found = parser.nextToken() == JsonToken.START_ARRAY && name.equals(list);
        if (!found) {
          members.set(name, parser.<JsonNode>readValueAsTree());
        }
      }
      return new StreamedDocument<>(answer, parser, WireJson.read(members, head), item, found);
    } catch (IOException e) {
      throw brokenOff(answer, e);
    } catch (RuntimeException e) {
      close(answer);
      throw e;
    }
  }

  /** Opens lines of JSON, whose head came with the answer. */
  public static <H, T> ResultStream<H, T> lines(
      StreamedServerResponse answer, H head, Function<JsonNode, T> item) {
    try {
      return new StreamedDocument<>(answer, WireJson.parser(answer.body()), head, item, false);
    } catch (IOException e) {
      throw brokenOff(answer, e);
    }
  }

  @Override
  public H header() {
    return head;
  }

  @Override
  public void forEach(Consumer<? super T> consumer) {
    for (JsonNode next = next(); !next.isMissingNode(); next = next()) {
      consumer.accept(item.apply(next));
    }
  }

  /** Returns the next item; a missing node at the end. */
  private JsonNode next() {
    try {
      JsonToken token = parser.isClosed() ? null : parser.nextToken();
      if (token == JsonToken.END_ARRAY && list) {
        if (parser.nextToken() != JsonToken.END_OBJECT) {
          throw new IOException("it has no end");
        }
        parser.close();
        return JsonNodeFactory.instance.missingNode();
      }
      if (token == null || token == JsonToken.END_OBJECT) {
        if (list) {
          throw new IOException("it has no end");
        }
        return JsonNodeFactory.instance.missingNode();
      }
      return parser.readValueAsTree();
    } catch (IOException e) {
      throw brokenOff(answer, e);
    }
  }

  private static StoreUnavailableException brokenOff(StreamedServerResponse answer, IOException e) {
    close(answer);
    return new StoreUnavailableException(
        "%s: the answer broke off (%s); try again".formatted(answer.request(), e.getMessage()), e);
  }

  private static void close(StreamedServerResponse answer) {
    try {
      answer.close();
    } catch (IOException e) {
      // All that is needed of it was read.
    }
  }

  @Override
  public void close() {
    close(answer);
  }
}
