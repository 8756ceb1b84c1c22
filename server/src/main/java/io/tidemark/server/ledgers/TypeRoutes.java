// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.MigrationRequest;
import io.tidemark.api.ledger.TypeDropRequest;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The types of a ledger, from their first declaration to their end. */
final class TypeRoutes {

  private static final String TYPES = LedgerRoutes.ONE + "/types";

  private final LedgerServices ledgers;

  TypeRoutes(LedgerServices ledgers) {
    this.ledgers = ledgers;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", TYPES, LedgerRoutes.need(Action.READ), this::list),
        new Route("POST", TYPES, LedgerRoutes.need(Action.WRITE), this::declare),
        new Route("GET", TYPES + "/{type}", LedgerRoutes.need(Action.READ), this::show),
        new Route("GET", TYPES + "/{type}/history", LedgerRoutes.need(Action.READ), this::history),
        new Route("POST", TYPES + "/{type}/drop", LedgerRoutes.need(Action.WRITE), this::drop),
        new Route(
                "POST",
                LedgerRoutes.ONE + "/validate",
                LedgerRoutes.need(Action.READ),
                this::validate)
            .reading(),
        new Route(
            "POST", LedgerRoutes.ONE + "/migrate", LedgerRoutes.need(Action.WRITE), this::migrate));
  }

  private Reply list(Call call) {
    return Reply.ok(
        PageToken.pageOf(
            call,
            ledgers.of(call).types().list(),
            version -> version.typeKind() + ":" + version.typeName(),
            WireJson::tree));
  }

  private Reply show(Call call) {
    OptionalLong version = LedgerRoutes.number(call, "version", 1, Long.MAX_VALUE);
    return Reply.ok(WireJson.tree(ledgers.of(call).types().show(call.path("type"), version)));
  }

  private Reply history(Call call) {
    List<TypeVersion> versions = ledgers.of(call).types().history(call.path("type"));
    return Reply.ok(
        PageToken.pageOf(
            call,
            versions,
            version -> "%019d".formatted(version.schemaVersionId()),
            WireJson::tree));
  }

  /** Types that are declared, one or a list. */
  record Declaration(JsonNode schema) {
    Declaration {
      requireTypes(schema);
    }
  }

  private static void requireTypes(JsonNode schema) {
    if (schema.isArray() && schema.isEmpty()) {
      throw new IllegalArgumentException("the body needs \"schema\", a type or a list of them");
    }
  }

  /** Enters types that aren't there; one that is there otherwise is a conflict. */
  private Reply declare(Call call) throws IOException {
    JsonNode schema = call.body(Declaration.class).schema();
    return Reply.ok(
        PageToken.page(
            ledgers.of(call).types().declare(schema).stream().map(WireJson::tree).toList(),
            Optional.empty()));
  }

  private Reply validate(Call call) throws IOException {
    JsonNode schema = call.body(Declaration.class).schema();
    return Reply.ok(WireJson.tree(ledgers.of(call).types().compare(schema)));
  }

  private Reply migrate(Call call) throws IOException {
    MigrationRequest request = call.body(MigrationRequest.class);
    return Reply.ok(
        WireJson.tree(
            ledgers
                .of(call)
                .types()
                .migrate(request.withMetadata(CommitRoutes.signed(request.metadata(), call)))));
  }

  private Reply drop(Call call) throws IOException {
    TypeDropRequest request = call.body(TypeDropRequest.class);
    return Reply.ok(
        WireJson.tree(
            ledgers
                .of(call)
                .types()
                .drop(
                    call.path("type"),
                    request.withMetadata(CommitRoutes.signed(request.metadata(), call)))));
  }
}
