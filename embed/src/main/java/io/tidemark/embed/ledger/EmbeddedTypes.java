// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ledger.LedgerTypes;
import io.tidemark.api.ledger.MigrationRequest;
import io.tidemark.api.ledger.MigrationResult;
import io.tidemark.api.ledger.SchemaComparison;
import io.tidemark.api.ledger.TypeDropRequest;
import io.tidemark.api.ledger.TypeDropResult;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.catalog.SchemaService;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.names.NotFoundException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Types of a ledger in this process. */
record EmbeddedTypes(EmbeddedLedgerContext ledger) implements LedgerTypes {

  @Override
  public List<TypeVersion> list() {
    return ledger.with(
        open ->
            open.schemas().current().values().stream().map(LedgerResultMapper::version).toList());
  }

  @Override
  public TypeVersion show(String type, OptionalLong version) {
    return ledger.with(
        open -> {
          SchemaService schemas = open.schemas();
          Map<TypeId, SchemaVersion> current = schemas.current();
          TypeId id = named(type, current.keySet());
          return LedgerResultMapper.version(
              version.isPresent()
                  ? find(schemas.history(id), version.getAsLong())
                  : Objects.requireNonNull(current.get(id)));
        });
  }

  /** Returns the type that an operation is about. */
  static TypeId named(String type, Collection<TypeId> known) {
    try {
      return TypeResolver.resolve(type, known);
    } catch (InvalidSchemaException e) {
      throw new NotFoundException(String.valueOf(e.getMessage()));
    }
  }

  private static SchemaVersion find(List<SchemaVersion> history, long version) {
    return history.stream()
        .filter(each -> each.id() == version)
        .findFirst()
        .orElseThrow(
            () ->
                new NotFoundException(
                    "there is no version "
                        + version
                        + "; there are "
                        + history.stream().map(SchemaVersion::id).toList()));
  }

  @Override
  public List<TypeVersion> history(String type) {
    return ledger.with(
        open -> {
          SchemaService schemas = open.schemas();
          TypeId id = named(type, schemas.current().keySet());
          return schemas.history(id).stream().map(LedgerResultMapper::version).toList();
        });
  }

  @Override
  public List<TypeVersion> declare(JsonNode schema) {
    List<TypeSchema> declared = DeclaredSchema.of(schema);
    Set<TypeId> types = declared.stream().map(TypeSchema::id).collect(Collectors.toSet());
    return ledger.with(
        open -> {
          try (Session session = open.session(declared)) {
            session.validate();
          }
          return open.schemas().current().values().stream()
              .filter(version -> types.contains(version.type()))
              .map(LedgerResultMapper::version)
              .toList();
        });
  }

  @Override
  public SchemaComparison compare(JsonNode schema) {
    return new SchemaChanges(ledger).compare(schema);
  }

  @Override
  public MigrationResult migrate(MigrationRequest request) {
    return new SchemaChanges(ledger).migrate(request);
  }

  @Override
  public TypeDropResult drop(String type, TypeDropRequest request) {
    return new SchemaChanges(ledger).drop(type, request);
  }
}
