// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.ledger.internal.commit.CommitProtocol;
import io.tidemark.ledger.internal.commit.SchemaResolver;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.PinnedHead;
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
 * Cache of declared types that this process has found to be those of the ledger.
 *
 * <p>A schema changes only with a commit, which records it in its manifest. So once a type has been
 * validated, the newest manifest, which every writer knows anyway, tells whether it is still valid.
 */
public final class SchemaValidator {

  /**
   * Type that was validated.
   *
   * @param asOf the commit up to which it is known to be valid
   * @param epoch epoch of the ledger in which it was validated
   */
  private record ValidSchema(
      StoredSchema declared, long versionId, long asOf, Optional<String> epoch) {

    boolean isAsOf(PinnedHead pinnedHead) {
      return asOf == pinnedHead.head().commitId() && epoch.equals(pinnedHead.head().epoch());
    }
  }

  private final Catalog catalog;
  private final HeadCache headCache;
  private final CommitProtocol protocol;
  private final String runtimeId;
  private final Map<TypeId, ValidSchema> valid = new ConcurrentHashMap<>();

  public SchemaValidator(
      Catalog catalog, HeadCache headCache, CommitProtocol protocol, String runtimeId) {
    this.catalog = catalog;
    this.headCache = headCache;
    this.protocol = protocol;
    this.runtimeId = runtimeId;
  }

  /**
   * Checks that types are those of the ledger, and registers missing ones.
   *
   * @throws SchemaOutdatedException when the ledger has one of them with another schema
   */
  public void validate(Collection<TypeSchema> types) {
    List<StoredSchema> unknown =
        types.stream().map(StoredSchema::of).filter(declared -> !isValid(declared)).toList();
    if (unknown.isEmpty()) {
      return;
    }
    if (!compare(unknown, protocol.base()).isUpToDate()) {
      protocol.underLock(updateCatalog(unknown));
    }
  }

  /**
   * Work to be done before the types can be used.
   *
   * @param missing types that the ledger doesn't have
   * @param behind types that a commit has changed and the catalog doesn't show so, because the
   *     writer of the commit died
   */
  private record Comparison(List<StoredSchema> missing, Map<TypeId, List<SchemaVersion>> behind) {

    boolean isUpToDate() {
      return missing.isEmpty() && behind.isEmpty();
    }
  }

  private boolean isValid(StoredSchema declared) {
    ValidSchema known = valid.get(declared.schema().id());
    return known != null
        && known.declared().equals(declared)
        && isStill(known, declared.schema().id(), headCache.known());
  }

  private Function<PinnedHead, Boolean> updateCatalog(List<StoredSchema> declared) {
    return pinnedHead -> {
      Comparison comparison = compare(declared, pinnedHead);
      catalog.applyCommit(comparison.behind());
      List<StoredSchema> missing = comparison.missing();
      List<SchemaVersion> versions = catalog.register(missing, runtimeId, pinnedHead);
      for (int i = 0; i < missing.size(); i++) {
        remember(missing.get(i), versions.get(i).id(), pinnedHead);
      }
      return true;
    };
  }

  private Comparison compare(List<StoredSchema> declared, PinnedHead pinnedHead) {
    List<StoredSchema> missing = new ArrayList<>();
    Map<TypeId, List<SchemaVersion>> behind = new TreeMap<>();
    List<SchemaDiff> diffs = new ArrayList<>();
    for (StoredSchema schema : declared) {
      Catalog.TypeHistory typeHistory = catalog.lookUp(schema.schema().id(), pinnedHead);
      if (typeHistory.versions().isEmpty()) {
        missing.add(schema);
        continue;
      }
      if (typeHistory.isBehind()) {
        behind.put(schema.schema().id(), typeHistory.versions());
      }
      SchemaVersion current = typeHistory.versions().get(typeHistory.versions().size() - 1);
      Optional<SchemaDiff> diff = diff(current, schema.schema());
      diff.ifPresent(diffs::add);
      if (diff.isEmpty()) {
        remember(schema, current.id(), pinnedHead);
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

  private void remember(StoredSchema declared, long versionId, PinnedHead pinnedHead) {
    valid.put(
        declared.schema().id(),
        new ValidSchema(
            declared, versionId, pinnedHead.head().commitId(), pinnedHead.head().epoch()));
  }

  /**
   * Returns the version that a declared type has as of a base.
   *
   * @throws SchemaOutdatedException when it has been changed or dropped since it was validated
   */
  public SchemaResolver.CurrentSchema resolve(TypeSchema declared, PinnedHead pinnedHead) {
    TypeId type = declared.id();
    ValidSchema known = valid.get(type);
    if (known == null || !known.declared().schema().equals(declared)) {
      throw outdated(declared, pinnedHead);
    }
    if (!isStill(known, type, pinnedHead)) {
      valid.remove(type);
      throw outdated(declared, pinnedHead);
    }
    remember(known.declared(), known.versionId(), pinnedHead);
    return new SchemaResolver.CurrentSchema(declared, known.versionId());
  }

  private boolean isStill(ValidSchema known, TypeId type, PinnedHead pinnedHead) {
    if (known.isAsOf(pinnedHead)) {
      return true;
    }
    if (!known.epoch().equals(pinnedHead.head().epoch())
        || pinnedHead.newest().isEmpty()
        || pinnedHead.head().commitId() < known.asOf()) {
      return false; // initialised anew
    }
    if (isOfAnother(headCache.known())) { // it may have changed a schema without a commit
      return catalog
          .current(type, pinnedHead)
          .map(SchemaVersion::id)
          .equals(Optional.of(known.versionId()));
    }
    Manifest newest = pinnedHead.newest().get();
    TypeSummary now = newest.type(type);
    return now.floor() <= known.asOf() && now.version() <= known.versionId();
  }

  /** Returns whether the newest commit, as it is stored, has no state of types. */
  private static boolean isOfAnother(PinnedHead stored) {
    return stored.newest().filter(newest -> !newest.hasTypes()).isPresent();
  }

  private SchemaOutdatedException outdated(TypeSchema declared, PinnedHead pinnedHead) {
    Optional<SchemaVersion> current = catalog.current(declared.id(), pinnedHead);
    SchemaDiff diff =
        current
            .flatMap(stored -> diff(stored, declared))
            .orElseGet(() -> SchemaDiff.dropped(declared.id()));
    return new SchemaOutdatedException(List.of(diff));
  }
}
