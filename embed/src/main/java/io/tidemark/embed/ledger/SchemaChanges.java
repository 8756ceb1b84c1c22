// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ledger.MigrationRequest;
import io.tidemark.api.ledger.MigrationResult;
import io.tidemark.api.ledger.SchemaComparison;
import io.tidemark.api.ledger.TypeDifference;
import io.tidemark.api.ledger.TypeDropRequest;
import io.tidemark.api.ledger.TypeDropResult;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.DropRequest.Dependents;
import io.tidemark.ledger.internal.catalog.FieldRules;
import io.tidemark.ledger.internal.catalog.MigrationPlan;
import io.tidemark.ledger.internal.catalog.SchemaService;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Changes of the types of a ledger: compared, migrated and dropped. */
record SchemaChanges(EmbeddedLedgerContext use) {

  SchemaComparison compare(JsonNode schema) {
    List<TypeSchema> declared = DeclaredSchema.of(schema);
    SchemaService.Comparison found = use.with(ledger -> ledger.schemas().compare(declared));
    return new SchemaComparison(
        found.diffs().isEmpty() ? "ok" : "mismatch",
        differences(found.diffs()),
        names(found.missing()));
  }

  private static List<String> names(Collection<TypeId> types) {
    return types.stream().map(TypeId::toString).toList();
  }

  private static List<TypeDifference> differences(List<SchemaDiff> diffs) {
    return diffs.stream().map(SchemaChanges::difference).toList();
  }

  private static TypeDifference difference(SchemaDiff diff) {
    Map<String, TypeDifference.PartDifference> changed = new LinkedHashMap<>();
    diff.changed()
        .forEach(
            (field, change) ->
                changed.put(
                    field, new TypeDifference.PartDifference(change.stored(), change.declared())));
    return new TypeDifference(
        diff.type().kind().singular(),
        diff.type().name(),
        diff.storedVersion(),
        diff.added(),
        diff.removed(),
        changed);
  }

  MigrationResult migrate(MigrationRequest request) {
    List<TypeSchema> declared = DeclaredSchema.of(request.schema());
    Optional<Approval> approval = approval(request.apply(), request.token(), request.force());
    FieldRules rules =
        rules(request, declared.stream().map(TypeSchema::id).collect(Collectors.toSet()));
    return use.with(ledger -> migrate(ledger, request, declared, rules, approval));
  }

  private static MigrationResult migrate(
      Ledger ledger,
      MigrationRequest request,
      List<TypeSchema> declared,
      FieldRules rules,
      Optional<Approval> approval) {
    SchemaService schemas = ledger.schemas();
    Upgraders upgraders = rules.upgraders(schemas.current(), declared);
    MigrationPlan plan = schemas.planMigration(declared, upgraders);
    Optional<CommittedManifest> done =
        approval.flatMap(given -> schemas.migrate(declared, upgraders, given, request.metadata()));
    Map<String, Long> rows = new LinkedHashMap<>();
    plan.estimatedRows().forEach((type, count) -> rows.put(type.toString(), count));
    return new MigrationResult(
        plan.token().text(),
        differences(plan.diffs()),
        rows.values().stream().mapToLong(Long::longValue).sum(),
        names(plan.requiringUpgraders()),
        names(plan.schemaOnly()),
        names(plan.missingUpgraders()),
        approval.isPresent(),
        approval.map(given -> done.map(commit -> commit.manifest().rowCount()).orElse(0L)),
        done.map(commit -> commit.manifest().commitId()),
        rows);
  }

  /** Returns the approval of a plan; empty if only the plan is wanted. */
  private static Optional<Approval> approval(boolean apply, Optional<String> token, boolean force) {
    if (!apply && (force || token.isPresent())) {
      throw invalid("\"token\" and \"force\" go with \"apply\"");
    }
    if (apply && force == token.isPresent()) {
      throw invalid("\"apply\" needs either the \"token\" of the plan, or \"force\"");
    }
    return apply
        ? Optional.of(token.<Approval>map(Approval.ByToken::new).orElse(Approval.Force.FORCE))
        : Optional.empty();
  }

  private static TidemarkException invalid(String message) {
    return new TidemarkException(ErrorCode.INVALID_REQUEST, message);
  }

  private static FieldRules rules(MigrationRequest request, Set<TypeId> types) {
    List<FieldRules.Rename> renames = new ArrayList<>();
    request
        .rename()
        .forEach(
            (place, name) -> {
              Field field = Field.parse(place, types);
              renames.add(new FieldRules.Rename(field.type, field.name, name));
            });
    List<FieldRules.Remove> removals = new ArrayList<>();
    for (String place : request.remove()) {
      Field field = Field.parse(place, types);
      removals.add(new FieldRules.Remove(field.type, field.name));
    }
    List<FieldRules.Assign> assignments = new ArrayList<>();
    request
        .set()
        .forEach(
            (place, value) -> {
              Field field = Field.parse(place, types);
              assignments.add(new FieldRules.Assign(field.type, field.name, value));
            });
    return new FieldRules(renames, removals, assignments);
  }

  private record Field(TypeId type, String name) {
    /** Names of types may have dots in them, names of fields don't. */
    static Field parse(String place, Set<TypeId> types) {
      int dot = place.lastIndexOf('.');
      if (dot < 1) {
        throw invalid("\"" + place + "\" is no field of a type; say TYPE.FIELD");
      }
      return new Field(
          TypeResolver.resolve(place.substring(0, dot), types), place.substring(dot + 1));
    }
  }

  TypeDropResult drop(String type, TypeDropRequest request) {
    Optional<Approval> approval = approval(request.apply(), request.token(), request.force());
    return use.with(ledger -> drop(ledger, type, request, approval));
  }

  private static TypeDropResult drop(
      Ledger ledger, String type, TypeDropRequest request, Optional<Approval> approval) {
    SchemaService schemas = ledger.schemas();
    Set<TypeId> known = schemas.current().keySet();
    Set<TypeId> relations = new TreeSet<>();
    request.relations().forEach(name -> relations.add(TypeResolver.resolve(name, known)));
    DropRequest drop =
        new DropRequest(
            EmbeddedTypes.named(type, known),
            relations,
            request.cascade() ? Dependents.CASCADE : Dependents.REFUSE,
            request.purgeHistory() ? DropPlan.History.PURGE : DropPlan.History.KEEP);
    SchemaService.DropPreview plan = schemas.planDrop(drop);
    Map<String, Long> rows = new LinkedHashMap<>();
    plan.rows().forEach((id, count) -> rows.put(id.toString(), count));
    return new TypeDropResult(
        names(plan.rows().keySet()),
        rows,
        request.purgeHistory(),
        approval.isPresent() ? Optional.empty() : Optional.of(plan.token().text()),
        approval.isPresent(),
        approval.map(given -> schemas.drop(drop, given, request.metadata()).manifest().commitId()));
  }
}
