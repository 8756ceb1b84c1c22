// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.MigrationRequest;
import io.tidemark.api.ledger.TypeDropRequest;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Routes of the types of a ledger, from declaration to retirement. */
final class TypeRoutes {

  private static final String TYPES = LedgerRoutes.ONE + "/types";

  private final LedgerServiceResolver ledgers;

  TypeRoutes(LedgerServiceResolver ledgers) {
    this.ledgers = ledgers;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", TYPES, LedgerRoutes.permission(Action.READ), this::list),
        new Route("POST", TYPES, LedgerRoutes.permission(Action.WRITE), this::declare),
        new Route("GET", TYPES + "/{type}", LedgerRoutes.permission(Action.READ), this::show),
        new Route(
            "GET", TYPES + "/{type}/history", LedgerRoutes.permission(Action.READ), this::history),
        new Route(
            "POST", TYPES + "/{type}/drop", LedgerRoutes.permission(Action.WRITE), this::drop),
        new Route(
                "POST",
                LedgerRoutes.ONE + "/validate",
                LedgerRoutes.permission(Action.READ),
                this::validate)
            .asReadOnly(),
        new Route(
            "POST",
            LedgerRoutes.ONE + "/migrate",
            LedgerRoutes.permission(Action.WRITE),
            this::migrate));
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(
        Pagination.pageOf(
            httpRequestContext,
            ledgers.of(httpRequestContext).types().list(),
            version -> version.typeKind() + ":" + version.typeName(),
            WireJson::tree));
  }

  private RouteResponse show(HttpRequestContext httpRequestContext) {
    OptionalLong version = LedgerRoutes.number(httpRequestContext, "version", 1, Long.MAX_VALUE);
    return RouteResponse.ok(
        WireJson.tree(
            ledgers.of(httpRequestContext).types().show(httpRequestContext.path("type"), version)));
  }

  private RouteResponse history(HttpRequestContext httpRequestContext) {
    List<TypeVersion> versions =
        ledgers.of(httpRequestContext).types().history(httpRequestContext.path("type"));
    return RouteResponse.ok(
        Pagination.pageOf(
            httpRequestContext,
            versions,
            version -> "%019d".formatted(version.schemaVersionId()),
            WireJson::tree));
  }

  /** Body that declares one type or a list of types. */
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

  /**
   * Declares types that don't exist yet; a different declaration of an existing type is a conflict.
   */
  private RouteResponse declare(HttpRequestContext httpRequestContext) throws IOException {
    JsonNode schema = httpRequestContext.body(Declaration.class).schema();
    return RouteResponse.ok(
        Pagination.page(
            ledgers.of(httpRequestContext).types().declare(schema).stream()
                .map(WireJson::tree)
                .toList(),
            Optional.empty()));
  }

  private RouteResponse validate(HttpRequestContext httpRequestContext) throws IOException {
    JsonNode schema = httpRequestContext.body(Declaration.class).schema();
    return RouteResponse.ok(WireJson.tree(ledgers.of(httpRequestContext).types().compare(schema)));
  }

  private RouteResponse migrate(HttpRequestContext httpRequestContext) throws IOException {
    MigrationRequest request = httpRequestContext.body(MigrationRequest.class);
    return RouteResponse.ok(
        WireJson.tree(
            ledgers
                .of(httpRequestContext)
                .types()
                .migrate(
                    request.withMetadata(
                        CommitRoutes.signed(request.metadata(), httpRequestContext)))));
  }

  private RouteResponse drop(HttpRequestContext httpRequestContext) throws IOException {
    TypeDropRequest request = httpRequestContext.body(TypeDropRequest.class);
    return RouteResponse.ok(
        WireJson.tree(
            ledgers
                .of(httpRequestContext)
                .types()
                .drop(
                    httpRequestContext.path("type"),
                    request.withMetadata(
                        CommitRoutes.signed(request.metadata(), httpRequestContext)))));
  }
}
