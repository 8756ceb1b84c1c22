// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import io.tidemark.testkit.names.OperationHistory.Action;
import io.tidemark.testkit.names.OperationHistory.Advance;
import io.tidemark.testkit.names.OperationHistory.Answer;
import io.tidemark.testkit.names.OperationHistory.Conflict;
import io.tidemark.testkit.names.OperationHistory.Done;
import io.tidemark.testkit.names.OperationHistory.Edit;
import io.tidemark.testkit.names.OperationHistory.Life;
import io.tidemark.testkit.names.OperationHistory.Operation;
import io.tidemark.testkit.names.OperationHistory.Push;
import io.tidemark.testkit.names.OperationHistory.Read;
import io.tidemark.testkit.names.OperationHistory.Refusal;
import io.tidemark.testkit.names.OperationHistory.Register;
import io.tidemark.testkit.names.OperationHistory.Seen;
import io.tidemark.testkit.names.OperationHistory.State;
import io.tidemark.testkit.names.OperationHistory.Unknown;
import java.util.Optional;

/** A line in which a process tells another what a client asked for or was told. */
final class HistoryLine {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ANSWER = "answer";

  private HistoryLine() {}

  static String write(int client, Operation operation) {
    ObjectNode line = JSON.createObjectNode();
    line.put("client", client);
    line.put("invoked", operation.invoked());
    line.put("returned", operation.returned());
    line.put("address", operation.register().address().toString());
    line.put("concern", operation.register().concern().name());
    write(line, operation.action());
    write(line.putObject(ANSWER), operation.answer());
    return line.toString();
  }

  private static void write(ObjectNode line, Action action) {
    if (action instanceof Push push) {
      write(line, "expected", push.expected());
      write(line, "next", Optional.of(push.next()));
    } else if (action instanceof Advance advance) {
      line.put("bound", advance.bound().name());
      write(line, "next", Optional.of(advance.next()));
    } else if (action instanceof Edit edit) {
      line.put("from", edit.before().life().name()).put("to", edit.after().life().name());
      write(line, "expected", edit.before().value());
      write(line, "next", edit.after().value());
    }
  }

  private static void write(ObjectNode line, Answer answer) {
    line.put("is", answer.getClass().getSimpleName());
    if (answer instanceof Seen seen) {
      write(line, "value", seen.value());
    } else if (answer instanceof Conflict conflict) {
      write(line, "value", conflict.actual());
    }
  }

  private static void write(ObjectNode line, String field, Optional<ConcernValue> value) {
    value.ifPresent(
        present -> {
          ObjectNode node = line.putObject(field).put("watermark", present.watermark());
          present.payload().ifPresent(payload -> node.set("payload", payload.toTree()));
        });
  }

  static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a line of a history: " + line, e);
    }
  }

  static int client(JsonNode line) {
    return line.path("client").intValue();
  }

  static Operation operation(JsonNode line) {
    Register register =
        new Register(
            Address.parse(line.path("address").textValue()),
            Concern.valueOf(line.path("concern").textValue()));
    return new Operation(
        register,
        action(line),
        answer(line.path(ANSWER)),
        line.path("invoked").longValue(),
        line.path("returned").longValue());
  }

  private static Action action(JsonNode line) {
    Optional<ConcernValue> next = value(line, "next");
    if (next.isEmpty()) {
      return new Read();
    }
    if (line.has("from")) {
      return new Edit(state(line, "expected", "from"), state(line, "next", "to"));
    }
    return line.has("bound")
        ? new Advance(next.get(), ConcernChange.Bound.valueOf(line.path("bound").textValue()))
        : new Push(value(line, "expected"), next.get());
  }

  private static State state(JsonNode line, String value, String life) {
    return new State(value(line, value), Life.valueOf(line.path(life).textValue()));
  }

  private static Answer answer(JsonNode node) {
    return switch (node.path("is").textValue()) {
      case "Seen" -> new Seen(value(node, "value"));
      case "Done" -> new Done();
      case "Conflict" -> new Conflict(value(node, "value"));
      case "Refusal" -> new Refusal();
      default -> new Unknown();
    };
  }

  private static Optional<ConcernValue> value(JsonNode line, String field) {
    JsonNode node = line.path(field);
    if (node.isMissingNode()) {
      return Optional.empty();
    }
    return Optional.of(
        new ConcernValue(
            node.path("watermark").longValue(),
            node.has("payload")
                ? Optional.of(Payload.of(node.path("payload")))
                : Optional.empty()));
  }
}
