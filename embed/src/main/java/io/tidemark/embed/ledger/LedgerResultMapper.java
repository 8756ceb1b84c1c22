// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.PurgedType;
import io.tidemark.api.ledger.RowChange;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.IdentityChange;
import io.tidemark.ledger.internal.branch.Difference;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.query.RelationEnd;
import io.tidemark.ledger.query.ResultRow;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Mapping of the ledger's model to the records of the API. */
final class LedgerResultMapper {

  private LedgerResultMapper() {}

  /** Parts of an identity, of which an entity has the first and a relation the others. */
  private record Keys(
      Optional<String> key,
      Optional<String> left,
      Optional<String> right,
      Optional<String> instance) {

    static Keys of(Identity identity) {
      if (identity instanceof Identity.RelationKey relation) {
        return new Keys(
            Optional.empty(),
            Optional.of(relation.left()),
            Optional.of(relation.right()),
            Optional.of(relation.instance()).filter(text -> !text.isEmpty()));
      }
      return new Keys(
          Optional.of(identity.toString()), Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  static LedgerRow row(ResultRow<ObjectNode> resultRow) {
    TypeId type = resultRow.meta().type();
    Keys keys = Keys.of(resultRow.meta().identity());
    return new LedgerRow(
        type.kind().singular(),
        type.name(),
        keys.key,
        keys.left,
        keys.right,
        keys.instance,
        resultRow.meta().commitId(),
        resultRow.value(),
        resultRow.left().map(RelationEnd::fields),
        resultRow.right().map(RelationEnd::fields));
  }

  static RowChange change(IdentityChange identityChange) {
    Keys keys = Keys.of(identityChange.identity());
    return new RowChange(
        identityChange.operation().jsonName(),
        identityChange.type().kind().singular(),
        identityChange.type().name(),
        keys.key,
        keys.left,
        keys.right,
        keys.instance,
        identityChange.before().map(LedgerResultMapper::fields),
        identityChange.before().map(Row::commitId),
        fields(identityChange.after()));
  }

  static RowDifference difference(Difference each) {
    Keys keys = Keys.of(each.identity());
    return new RowDifference(
        each.kind().jsonName(),
        each.type().kind().singular(),
        each.type().name(),
        keys.key,
        keys.left,
        keys.right,
        keys.instance,
        each.before().map(LedgerResultMapper::fields),
        each.before().map(Row::commitId),
        each.after().map(LedgerResultMapper::fields),
        each.after().map(Row::commitId));
  }

  private static ObjectNode fields(Row row) {
    return (ObjectNode) parsed(row.fieldsJson());
  }

  /** Parses JSON that was checked before it was stored. */
  static JsonNode parsed(String json) {
    try {
      return CanonicalJson.parse(json);
    } catch (IOException e) {
      throw new IllegalStateException("what is stored was checked", e);
    }
  }

  static CommitSummary commit(Commit commit) {
    return new CommitSummary(
        commit.id(), commit.createdAt(), commit.operations(), commit.metadata());
  }

  static List<PurgedType> purged(Map<TypeId, Long> purged) {
    return purged.entrySet().stream()
        .map(
            each ->
                new PurgedType(
                    each.getKey().kind().singular(), each.getKey().name(), each.getValue()))
        .toList();
  }

  static List<SchemaVersionMix> mixes(List<VersionMix> mixes) {
    return mixes.stream()
        .map(
            mix ->
                new SchemaVersionMix(
                    mix.type().toString(), mix.shown(), mix.rows(), List.copyOf(mix.converted())))
        .toList();
  }

  static TypeVersion version(SchemaVersion version) {
    return new TypeVersion(
        version.type().kind().singular(),
        version.type().name(),
        version.id(),
        version.hash(),
        version.createdAt(),
        version.runtimeId(),
        version.reason(),
        DeclaredSchema.write(StoredSchema.parse(version.schemaJson()).schema()),
        parsed(version.schemaJson()));
  }
}
