// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.ledger.LedgerTypes;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.ledger.catalog.SchemaLife;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.SchemaVersion;
import io.tidemark.names.NotFoundException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/** Types of a ledger in this process. */
record EmbeddedTypes(LedgerUse ledger) implements LedgerTypes {

  @Override
  public List<TypeVersion> list() {
    return ledger.with(
        open -> open.schemas().current().values().stream().map(Results::version).toList());
  }

  @Override
  public TypeVersion show(String type, OptionalLong version) {
    return ledger.with(
        open -> {
          SchemaLife schemas = open.schemas();
          Map<TypeId, SchemaVersion> current = schemas.current();
          TypeId id = named(type, current.keySet());
          return Results.version(
              version.isPresent()
                  ? find(schemas.history(id), version.getAsLong())
                  : Objects.requireNonNull(current.get(id)));
        });
  }

  private static TypeId named(String type, Collection<TypeId> known) {
    try {
      return Types.resolve(type, known);
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
          SchemaLife schemas = open.schemas();
          TypeId id = named(type, schemas.current().keySet());
          return schemas.history(id).stream().map(Results::version).toList();
        });
  }
}
