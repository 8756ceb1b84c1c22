// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerTypes;
import io.tidemark.api.ledger.MigrationRequest;
import io.tidemark.api.ledger.MigrationResult;
import io.tidemark.api.ledger.SchemaComparison;
import io.tidemark.api.ledger.TypeDropRequest;
import io.tidemark.api.ledger.TypeDropResult;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.client.ServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Types of a ledger on a server. */
record HttpTypes(HttpLedgerContext server) implements LedgerTypes {

  private static final String TYPES = "types";

  private List<TypeVersion> versions(ServerRequest listing) {
    return server.pages(listing, TypeVersion.class);
  }

  @Override
  public List<TypeVersion> list() {
    return versions(server.request("GET", TYPES));
  }

  @Override
  public TypeVersion show(String type, OptionalLong version) {
    ServerRequest current = server.request("GET", TYPES, type);
    return server.read(
        version.isPresent()
            ? current.query("version", Long.toString(version.getAsLong()))
            : current,
        TypeVersion.class);
  }

  @Override
  public List<TypeVersion> history(String type) {
    return versions(server.request("GET", TYPES, type, "history"));
  }

  @Override
  public List<TypeVersion> declare(JsonNode schema) {
    List<TypeVersion> versions = new ArrayList<>();
    server
        .write(server.request("POST", "types").json(body(schema)), () -> true)
        .path("items")
        .forEach(item -> versions.add(WireJson.read(item, TypeVersion.class)));
    return versions;
  }

  private static ObjectNode body(JsonNode schema) {
    return JsonNodeFactory.instance.objectNode().set("schema", schema);
  }

  @Override
  public SchemaComparison compare(JsonNode schema) {
    return WireJson.read(
        server
            .connection()
            .send(server.request("POST", "validate").json(body(schema)))
            .orThrow()
            .json(),
        SchemaComparison.class);
  }

  @Override
  public MigrationResult migrate(MigrationRequest request) {
    return WireJson.read(
        server.write(
            server.request("POST", "migrate").json(WireJson.tree(request)), () -> !request.apply()),
        MigrationResult.class);
  }

  @Override
  public TypeDropResult drop(String type, TypeDropRequest request) {
    return WireJson.read(
        server.write(
            server.request("POST", "types", type, "drop").json(WireJson.tree(request)),
            () -> !request.apply()),
        TypeDropResult.class);
  }
}
