// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.catalog.Approval;
import io.tidemark.ledger.catalog.DropRequest;
import io.tidemark.ledger.catalog.DropRequest.Dependents;
import io.tidemark.ledger.catalog.FieldRules;
import io.tidemark.ledger.catalog.MigrationPlan;
import io.tidemark.ledger.catalog.SchemaLife;
import io.tidemark.ledger.catalog.Upgraders;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeName;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.view.PlanJson;
import io.tidemark.ledger.view.TypeJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The types of a ledger, from their first declaration to their end. */
final class TypeRoutes {

  private static final String DECLARE = "declare it with the rows, or at /types";
  private static final String TYPES = LedgerRoutes.ONE + "/types";

  private final LedgerCache open;
  private final LedgerServices ledgers;

  TypeRoutes(LedgerCache open, LedgerServices ledgers) {
    this.open = open;
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

  /** The type that is meant by a name in a body. */
  static TypeId resolve(String text, Collection<TypeId> known) {
    return TypeName.resolve(text, known, DECLARE);
  }

  /** The type that is meant by a step of the path: there is nothing there when there is none. */
  private static TypeId named(Call call, Collection<TypeId> known) {
    try {
      return resolve(call.path("type"), known);
    } catch (InvalidSchemaException e) {
      throw new ProblemException(Problem.of(404, "not-found", String.valueOf(e.getMessage())));
    }
  }

  /** The types that a member declares: one, or a list. */
  static List<TypeSchema> declared(Members body, String member) {
    Optional<JsonNode> given = body.any(member);
    return given.isEmpty() ? List.of() : DeclaredSchema.of(given.get());
  }

  private static List<TypeSchema> required(Members body) {
    List<TypeSchema> declared = declared(body, "schema");
    if (declared.isEmpty()) {
      throw Call.invalid("the body needs \"schema\", a type or a list of them");
    }
    return declared;
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
    Optional<Long> version = call.number("version", 1, Long.MAX_VALUE);
    return Reply.ok(
        WireJson.tree(
            ledgers
                .of(call)
                .types()
                .show(
                    call.path("type"),
                    version.map(OptionalLong::of).orElseGet(OptionalLong::empty))));
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

  /** Enters types that aren't there; one that is there otherwise is a conflict. */
  private Reply declare(Call call) throws IOException {
    List<TypeSchema> declared = required(Members.of(call));
    open.with(
        LedgerRoutes.address(call),
        ledger -> {
          try (Session session = ledger.session(declared)) {
            session.validate();
          }
          return declared;
        });
    Set<String> types =
        declared.stream().map(schema -> schema.id().toString()).collect(Collectors.toSet());
    return Reply.ok(
        PageToken.page(
            ledgers.of(call).types().list().stream()
                .filter(type -> types.contains(type.typeKind() + ":" + type.typeName()))
                .map(WireJson::tree)
                .toList(),
            Optional.empty()));
  }

  private Reply validate(Call call) throws IOException {
    List<TypeSchema> declared = required(Members.of(call));
    return open.with(
        LedgerRoutes.address(call),
        ledger -> Reply.ok(TypeJson.comparison(ledger.schemas().compare(declared))));
  }

  /** Says what would be done, unless it is meant: with the token of just that, or by force. */
  private static Optional<Approval> approval(Members body) {
    boolean apply = body.flag("apply");
    boolean force = body.flag("force");
    Optional<String> token = body.text("token");
    if (!apply && (force || token.isPresent())) {
      throw Call.invalid("\"token\" and \"force\" go with \"apply\"");
    }
    if (apply && force == token.isPresent()) {
      throw Call.invalid(
          "\"apply\" needs either the \"token\" that is told without it, or \"force\"");
    }
    return apply
        ? Optional.of(token.<Approval>map(Approval.ByToken::new).orElse(Approval.Force.FORCE))
        : Optional.empty();
  }

  private Reply migrate(Call call) throws IOException {
    Members body = Members.of(call);
    List<TypeSchema> declared = required(body);
    Optional<Approval> approval = approval(body);
    Set<TypeId> types = declared.stream().map(TypeSchema::id).collect(Collectors.toSet());
    FieldRules rules = rules(body, types);
    Map<String, String> metadata = CommitRoutes.metadata(body, call);
    return open.with(
        LedgerRoutes.address(call),
        ledger -> Reply.ok(migrate(ledger, declared, rules, approval, metadata)));
  }

  private static ObjectNode migrate(
      Ledger ledger,
      List<TypeSchema> declared,
      FieldRules rules,
      Optional<Approval> approval,
      Map<String, String> metadata) {
    SchemaLife schemas = ledger.schemas();
    Upgraders upgraders = rules.upgraders(schemas.current(), declared);
    MigrationPlan plan = schemas.planMigration(declared, upgraders);
    return approval.isEmpty()
        ? PlanJson.migration(plan)
        : PlanJson.migrated(plan, schemas.migrate(declared, upgraders, approval.get(), metadata));
  }

  /** Rules are given as on the command line: by type and field, with a dot between them. */
  private static FieldRules rules(Members body, Set<TypeId> types) {
    List<FieldRules.Rename> renames = new ArrayList<>();
    body.textMap("rename")
        .forEach(
            (place, name) -> {
              Field field = Field.of(place, types);
              renames.add(new FieldRules.Rename(field.type, field.name, name));
            });
    List<FieldRules.Remove> removals = new ArrayList<>();
    for (String place : body.texts("remove")) {
      Field field = Field.of(place, types);
      removals.add(new FieldRules.Remove(field.type, field.name));
    }
    List<FieldRules.Assign> assignments = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : body.object("set").properties()) {
      Field field = Field.of(each.getKey(), types);
      assignments.add(new FieldRules.Assign(field.type, field.name, each.getValue()));
    }
    return new FieldRules(renames, removals, assignments);
  }

  private record Field(TypeId type, String name) {
    /** Names of types may have dots in them, names of fields don't. */
    static Field of(String place, Set<TypeId> types) {
      int dot = place.lastIndexOf('.');
      if (dot < 1) {
        throw Call.invalid("\"" + place + "\" is no field of a type; say TYPE.FIELD");
      }
      return new Field(resolve(place.substring(0, dot), types), place.substring(dot + 1));
    }
  }

  private Reply drop(Call call) throws IOException {
    Members body = Members.of(call);
    Optional<Approval> approval = approval(body);
    Map<String, String> metadata = CommitRoutes.metadata(body, call);
    return open.with(
        LedgerRoutes.address(call),
        ledger -> {
          SchemaLife schemas = ledger.schemas();
          Set<TypeId> known = schemas.current().keySet();
          Set<TypeId> relations = new TreeSet<>();
          body.texts("relations").forEach(name -> relations.add(resolve(name, known)));
          DropRequest request =
              new DropRequest(
                  named(call, known),
                  relations,
                  body.flag("cascade") ? Dependents.CASCADE : Dependents.REFUSE,
                  body.flag("purgeHistory") ? DropPlan.History.PURGE : DropPlan.History.KEEP);
          SchemaLife.DropPreview plan = schemas.planDrop(request);
          return Reply.ok(
              approval.isEmpty()
                  ? PlanJson.drop(request, plan)
                  : PlanJson.dropped(
                      request, plan, schemas.drop(request, approval.get(), metadata)));
        });
  }
}
