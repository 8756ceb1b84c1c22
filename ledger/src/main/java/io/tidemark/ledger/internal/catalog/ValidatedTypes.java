// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.ledger.internal.commit.CommitProtocol;
import io.tidemark.ledger.internal.commit.CurrentTypes;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.internal.store.TypeSummary;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The types that this process has declared and found to be those of the ledger.
 *
 * <p>A schema changes only with a commit, which says so in its manifest. So once a type has been
 * found right, the newest manifest, which every writer knows anyway, tells whether it still is.
 */
public final class ValidatedTypes {

  /**
   * A type that was found right.
   *
   * @param asOf the commit up to which it is known to be
   * @param epoch of the ledger that it was found in
   */
  private record Valid(StoredSchema declared, long versionId, long asOf, Optional<String> epoch) {

    boolean isAsOf(Base base) {
      return asOf == base.head().commitId() && epoch.equals(base.head().epoch());
    }
  }

  private final Catalog catalog;
  private final Heads heads;
  private final CommitProtocol protocol;
  private final String runtimeId;
  private final Map<TypeId, Valid> valid = new ConcurrentHashMap<>();

  public ValidatedTypes(Catalog catalog, Heads heads, CommitProtocol protocol, String runtimeId) {
    this.catalog = catalog;
    this.heads = heads;
    this.protocol = protocol;
    this.runtimeId = runtimeId;
  }

  /**
   * Makes sure that types are those of the ledger; what it doesn't have is entered.
   *
   * @throws SchemaOutdatedException when the ledger has one of them with another schema
   */
  public void validate(Collection<TypeSchema> types) {
    List<StoredSchema> unknown =
        types.stream().map(StoredSchema::of).filter(declared -> !isValid(declared)).toList();
    if (unknown.isEmpty()) {
      return;
    }
    if (!compare(unknown, protocol.base()).isInOrder()) {
      protocol.underLock(putInOrder(unknown));
    }
  }

  /**
   * What there is to do before the types can be used.
   *
   * @param missing those that the ledger doesn't have
   * @param behind those that a commit has changed and the catalog doesn't show so, because whoever
   *     made the commit died
   */
  private record Comparison(List<StoredSchema> missing, Map<TypeId, List<SchemaVersion>> behind) {

    boolean isInOrder() {
      return missing.isEmpty() && behind.isEmpty();
    }
  }

  private boolean isValid(StoredSchema declared) {
    Valid known = valid.get(declared.schema().id());
    return known != null
        && known.declared().equals(declared)
        && isStill(known, declared.schema().id(), heads.known());
  }

  private Function<Base, Boolean> putInOrder(List<StoredSchema> declared) {
    return base -> {
      Comparison comparison = compare(declared, base);
      catalog.follow(comparison.behind());
      List<StoredSchema> missing = comparison.missing();
      List<SchemaVersion> versions = catalog.register(missing, runtimeId, base);
      for (int i = 0; i < missing.size(); i++) {
        found(missing.get(i), versions.get(i).id(), base);
      }
      return true;
    };
  }

  private Comparison compare(List<StoredSchema> declared, Base base) {
    List<StoredSchema> missing = new ArrayList<>();
    Map<TypeId, List<SchemaVersion>> behind = new TreeMap<>();
    List<SchemaDiff> diffs = new ArrayList<>();
    for (StoredSchema schema : declared) {
      Catalog.Found found = catalog.found(schema.schema().id(), base);
      if (found.versions().isEmpty()) {
        missing.add(schema);
        continue;
      }
      if (found.isBehind()) {
        behind.put(schema.schema().id(), found.versions());
      }
      SchemaVersion current = found.versions().get(found.versions().size() - 1);
      Optional<SchemaDiff> diff = diff(current, schema.schema());
      diff.ifPresent(diffs::add);
      if (diff.isEmpty()) {
        found(schema, current.id(), base);
      }
    }
    if (!diffs.isEmpty()) {
      throw new SchemaOutdatedException(diffs);
    }
    return new Comparison(missing, behind);
  }

  private static Optional<SchemaDiff> diff(SchemaVersion stored, TypeSchema declared) {
    TypeSchema before = StoredSchema.parse(stored.schemaJson()).schema();
    return Optional.of(SchemaDiff.between(before, stored.id(), declared)).filter(d -> !d.isEmpty());
  }

  private void found(StoredSchema declared, long versionId, Base base) {
    valid.put(
        declared.schema().id(),
        new Valid(declared, versionId, base.head().commitId(), base.head().epoch()));
  }

  /**
   * The version that a declared type has as of a base.
   *
   * @throws SchemaOutdatedException when it has been changed or dropped since it was found right
   */
  public CurrentTypes.Current at(TypeSchema declared, Base base) {
    TypeId type = declared.id();
    Valid known = valid.get(type);
    if (known == null || !known.declared().schema().equals(declared)) {
      throw outdated(declared, base);
    }
    if (!isStill(known, type, base)) {
      valid.remove(type);
      throw outdated(declared, base);
    }
    found(known.declared(), known.versionId(), base);
    return new CurrentTypes.Current(declared, known.versionId());
  }

  private boolean isStill(Valid known, TypeId type, Base base) {
    if (known.isAsOf(base)) {
      return true;
    }
    if (!known.epoch().equals(base.head().epoch())
        || base.newest().isEmpty()
        || base.head().commitId() < known.asOf()) {
      return false; // initialised anew
    }
    if (isOfAnother(heads.known())) { // which may have changed a schema without a commit
      return catalog
          .current(type, base)
          .map(SchemaVersion::id)
          .equals(Optional.of(known.versionId()));
    }
    Manifest newest = base.newest().get();
    TypeSummary now = newest.type(type);
    return now.floor() <= known.asOf() && now.version() <= known.versionId();
  }

  /** Whether the newest commit, as it is stored, says nothing of types. */
  private static boolean isOfAnother(Base stored) {
    return stored.newest().filter(newest -> !newest.hasTypes()).isPresent();
  }

  private SchemaOutdatedException outdated(TypeSchema declared, Base base) {
    Optional<SchemaVersion> current = catalog.current(declared.id(), base);
    SchemaDiff diff =
        current
            .flatMap(stored -> diff(stored, declared))
            .orElseGet(() -> SchemaDiff.dropped(declared.id()));
    return new SchemaOutdatedException(List.of(diff));
  }
}
