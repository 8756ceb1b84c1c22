// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * The namespace of a state: its time, its author and its transaction.
 *
 * @param json {@code properties."@ns:com:here:xyz"}
 */
public record XyzNamespace(JsonNode json) {

  /** Returns the GUID of the state; empty for a feature that was never stored. */
  public Optional<String> uuid() {
    return text("uuid");
  }

  /** Returns the GUID of the state before; empty for the first. */
  public Optional<String> puuid() {
    return text("puuid");
  }

  public Txn txn() {
    return new Txn(json.path("txn").asLong());
  }

  /** Returns CREATE, UPDATE or DELETE. */
  public String action() {
    return json.path("action").asText();
  }

  /** Returns the number of states since the creation, including this one. */
  public long version() {
    return json.path("version").asLong();
  }

  public String author() {
    return json.path("author").asText();
  }

  public String appId() {
    return json.path("app_id").asText();
  }

  public Instant createdAt() {
    return Instant.ofEpochMilli(json.path("createdAt").asLong());
  }

  public Instant updatedAt() {
    return Instant.ofEpochMilli(json.path("updatedAt").asLong());
  }

  public List<String> tags() {
    return StreamSupport.stream(json.path("tags").spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  private Optional<String> text(String name) {
    return json.path(name).isTextual()
        ? Optional.of(json.path(name).textValue())
        : Optional.empty();
  }
}
