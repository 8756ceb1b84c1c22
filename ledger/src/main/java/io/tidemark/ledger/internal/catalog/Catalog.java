// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.internal.store.TypeSummary;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Catalog of a ledger's types. Its documents are the list of types, the registry of their current
 * schemas, a history of versions for each, and the dropped types.
 *
 * <p>A type enters them when it is first declared, under the ledger's lock. A change of its schema,
 * or its drop, is a commit: the manifest records it, and these documents follow. So a crash between
 * the two loses nothing; a reader takes the version from the chain, and a writer that does so
 * repairs the documents.
 */
public final class Catalog {

  /** Runtime of a version that was restored from the registry's entry. */
  private static final String RESTORED = "index-repair";

  private static final SortedMap<String, String> NO_RENAMES = Collections.emptySortedMap();

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final TypeList list;

  public Catalog(LedgerObjects objects, ManifestChain manifestChain) {
    this.objects = objects;
    this.manifestChain = manifestChain;
    this.list = new TypeList(objects);
  }

  /** Returns every type of the ledger; see {@link TypeList#read()}. */
  public SortedSet<TypeId> types() {
    return list.read();
  }

  /**
   * Returns the types as of a base, checked against its newest commit. They include types that were
   * dropped since.
   */
  public SortedSet<TypeId> types(PinnedHead pinnedHead) {
    SortedSet<TypeId> types = list.read();
    Manifest newest = pinnedHead.newest().orElseGet(Manifest::ofEmptyState);
    for (TypeId type : newest.typesWhere(each -> each.lastCommit() > 0)) {
      if (!types.contains(type)
          && droppedSince(SchemaVersionsDocument.read(objects, type), pinnedHead).isEmpty()) {
        throw objects.corrupt(LedgerLayout.TYPES, "doesn't list " + type + ", which has rows");
      }
      types.add(type);
    }
    return types;
  }

  /** Returns the current version of a type's schema, or empty if there is no such type. */
  public Optional<SchemaVersion> current(TypeId type, PinnedHead pinnedHead) {
    List<SchemaVersion> versions = history(type, pinnedHead);
    return versions.isEmpty() ? Optional.empty() : Optional.of(versions.get(versions.size() - 1));
  }

  /** Returns every version of a type's schema since its last declaration, the oldest first. */
  public List<SchemaVersion> history(TypeId type, PinnedHead pinnedHead) {
    return lookUp(type, pinnedHead).versions();
  }

  /**
   * Returns the version that a type's schema had at a commit. For a commit before the first that
   * wrote to the type it is the first version, also if a type of that name had been dropped by
   * then. If a commit of another program doesn't record the version, its time decides.
   *
   * @param versions all versions as of the base, the oldest first
   * @return empty when the type had a version that isn't one of these, since it was dropped later
   */
  public Optional<SchemaVersion> versionAt(
      TypeId type, List<SchemaVersion> versions, PinnedHead pinnedHead, long commitId) {
    if (versions.isEmpty()
        || pinnedHead.newest().isEmpty()
        || commitId >= pinnedHead.head().commitId()) {
      return versions.stream().reduce((first, last) -> last);
    }
    if (commitId < 1) {
      return versions.stream().findFirst();
    }
    Manifest manifest = manifestChain.find(pinnedHead.newest().get(), commitId);
    long said = manifest.type(type).version();
    if (said > 0 || manifest.hasTypes()) {
      // After its drop, commits still record the last version of the dropped type.
      boolean isAnother = said > 0 && said < versions.get(0).id();
      boolean isBeforeFirstRows =
          said == 0
              || (isAnother
                  && ManifestCompleter.complete(manifestChain, pinnedHead.newest().get())
                          .type(type)
                          .floor()
                      <= commitId);
      long id = isBeforeFirstRows ? versions.get(0).id() : said;
      return versions.stream().filter(version -> version.id() == id).findFirst();
    }
    return versions.stream()
        .filter(
            version ->
                version.id() == versions.get(0).id()
                    || UtcTimestamp.parse(version.createdAt())
                        .filter(created -> !created.isAfter(manifest.createdAt()))
                        .isPresent())
        .reduce((first, last) -> last);
  }

  /**
   * Returns the history up to the version of a base. The documents of a branch that is read without
   * its lock may include a migration that was committed after the base.
   */
  List<SchemaVersion> historyUpTo(TypeId type, PinnedHead pinnedHead) {
    List<SchemaVersion> versions = history(type, pinnedHead);
    long last = pinnedHead.newest().map(newest -> versionWithRows(newest, type)).orElse(0L);
    boolean known = versions.stream().anyMatch(version -> version.id() <= last);
    return known ? versions.stream().filter(v -> v.id() <= last).toList() : versions;
  }

  private static long versionWithRows(Manifest newest, TypeId type) {
    TypeSummary summary = newest.type(type);
    return summary.lastCommit() > summary.floor() ? summary.version() : 0;
  }

  /**
   * History of a type.
   *
   * @param versions the versions by the chain
   * @param stored the versions in the documents, which may be behind
   * @param lost whether a type that wasn't dropped has no version: its entry in the registry may be
   *     the last copy of its schema
   */
  record TypeHistory(List<SchemaVersion> versions, List<SchemaVersion> stored, boolean lost) {

    boolean isBehind() {
      return !versions.equals(stored);
    }
  }

  TypeHistory lookUp(TypeId type, PinnedHead pinnedHead) {
    SchemaVersionsDocument file = SchemaVersionsDocument.read(objects, type);
    List<SchemaVersion> versions = versionsFromChain(type, file.versions(), pinnedHead);
    if (versions.isEmpty() && hasRows(type, pinnedHead)) {
      versions = versionsFromChain(type, droppedSince(file, pinnedHead), pinnedHead);
    }
    if (versions.isEmpty() && hasRows(type, pinnedHead)) {
      throw withoutSchema(type, pinnedHead);
    }
    // A drop leaves an empty file, so a missing file means a type that was declared since.
    boolean dropped = file.etag().isPresent() && pinnedHead.type(type).floor() > 0;
    return new TypeHistory(versions, file.versions(), versions.isEmpty() && !dropped);
  }

  private CorruptLedgerException withoutSchema(TypeId type, PinnedHead pinnedHead) {
    if (registered(type, pinnedHead).isEmpty()) {
      return objects.corrupt(LedgerLayout.versions(type), "has no schema of a type that has rows");
    }
    return new CorruptLedgerException(
        LedgerLayout.versions(type)
            + " of the ledger in "
            + objects.location()
            + " is missing, while "
            + LedgerLayout.REGISTRY
            + " has the schema of "
            + type
            + "; run 'tidemark index repair --deep --apply', which writes it from there");
  }

  /**
   * Returns the version of a type that has rows and no document of versions, restored from the
   * registry's entry; empty when the document exists or the registry has no schema of the type.
   */
  Optional<SchemaVersion> registered(TypeId type, PinnedHead pinnedHead) {
    if (objects.get(LedgerLayout.versions(type)).isPresent()) {
      return Optional.empty();
    }
    long id = versionInUse(type, pinnedHead);
    return objects
        .read(LedgerLayout.REGISTRY)
        .map(document -> list.registered(document.json()).get(type))
        .filter(schema -> id > 0)
        .flatMap(Catalog::schema)
        .filter(schema -> schema.schema().id().equals(type))
        .map(schema -> version(schema, id, RESTORED, "bootstrap"));
  }

  private static Optional<StoredSchema> schema(JsonNode registered) {
    try {
      return Optional.of(StoredSchema.parse(CanonicalJson.write(registered)));
    } catch (InvalidSchemaException e) {
      return Optional.empty();
    }
  }

  /** Returns the history of a type whose schema is present and valid. */
  private Optional<TypeHistory> intact(TypeId type, PinnedHead pinnedHead) {
    try {
      return Optional.of(lookUp(type, pinnedHead)).filter(typeHistory -> !typeHistory.lost());
    } catch (CorruptLedgerException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the versions of a type at a base, if the documents are those of after its drop: they
   * include commits after a base that is read without the lock.
   */
  private static List<SchemaVersion> droppedSince(
      SchemaVersionsDocument file, PinnedHead pinnedHead) {
    long last = pinnedHead.type(file.type()).version();
    return file.versions().stream().allMatch(version -> version.id() > last)
        ? file.former().stream().filter(version -> version.id() <= last).toList()
        : List.of();
  }

  private boolean hasRows(TypeId type, PinnedHead pinnedHead) {
    return versionInUse(type, pinnedHead) > 0;
  }

  /**
   * Returns the version of the last rows of a type, at least 1; 0 if it has none since its last
   * drop.
   */
  private long versionInUse(TypeId type, PinnedHead pinnedHead) {
    Optional<Manifest> manifest = pinnedHead.newest();
    if (manifest.isPresent() && manifest.get().hasTypes()) {
      TypeSummary summary = manifest.get().type(type);
      return summary.lastCommit() > 0 ? Math.max(1, summary.version()) : 0;
    }
    while (manifest.isPresent() && !manifest.get().drops(type)) { // of another program
      Optional<DataFile> file = manifest.get().file(type);
      if (file.isPresent()) {
        return Math.max(1, file.get().schemaVersionId());
      }
      manifest = manifestChain.parent(manifest.get());
    }
    return 0;
  }

  private List<SchemaVersion> versionsFromChain(
      TypeId type, List<SchemaVersion> stored, PinnedHead pinnedHead) {
    Optional<Manifest> newest = pinnedHead.newest();
    if (newest.isEmpty()) {
      return stored;
    }
    long floor = pinnedHead.type(type).floor();
    List<SchemaVersion> versions = new ArrayList<>(stored);
    if (floor > 0) {
      // A crash may keep the file from being emptied. Numbers go on after a drop, so they decide.
      long before = manifestChain.find(newest.get(), floor).type(type).version();
      versions.removeIf(version -> version.id() <= before);
    }
    long known = versions.isEmpty() ? 0 : versions.get(versions.size() - 1).id();
    rolledForward(newest.get(), type, known).ifPresent(versions::add);
    return versions;
  }

  /** Returns a committed version that is newer than the documents. */
  private Optional<SchemaVersion> rolledForward(Manifest newest, TypeId type, long known) {
    long commit = newest.type(type).schemaCommit();
    if (commit == 0 || newest.type(type).version() <= known) {
      return Optional.empty();
    }
    return manifestChain.find(newest, commit).schemaVersions().stream()
        .filter(version -> version.type().equals(type) && version.id() > known)
        .findFirst();
  }

  /** Returns the highest number of any version of the type, also from before a drop. */
  public long highestVersion(TypeId type, PinnedHead pinnedHead) {
    if (pinnedHead.newest().isEmpty()) {
      return 0;
    }
    Manifest newest = pinnedHead.newest().get();
    if (newest.hasTypes()) {
      return newest.type(type).version();
    }
    long highest = 0;
    Optional<Manifest> manifest = pinnedHead.newest();
    while (manifest.isPresent()) { // written by another program, and so without a shorter way
      long here = manifest.get().file(type).map(DataFile::schemaVersionId).orElse(0L);
      highest = Math.max(highest, here);
      manifest = manifestChain.parent(manifest.get());
    }
    return highest;
  }

  /**
   * Registers missing types, under the lock. Their versions are written last, since these make a
   * type exist: a crash leaves at worst a listed name, which is registered again.
   */
  List<SchemaVersion> register(
      Collection<StoredSchema> schemas, String runtimeId, PinnedHead pinnedHead) {
    List<SchemaVersion> versions = new ArrayList<>();
    for (StoredSchema schema : schemas) {
      TypeId type = schema.schema().id();
      versions.add(version(schema, highestVersion(type, pinnedHead) + 1, runtimeId, "initial"));
    }
    entered(versions);
    JsonDocumentEditor.of(objects, LedgerLayout.DROPPED)
        .ifPresent(json -> versions.forEach(version -> forget(json, version.type())));
    for (SchemaVersion version : versions) {
      SchemaVersionsDocument.read(objects, version.type())
          .withVersions(List.of(version))
          .write(objects);
    }
    return versions;
  }

  private static void forget(ObjectNode dropped, TypeId type) {
    if (dropped.path(type.kind().singular()) instanceof ObjectNode names) {
      names.remove(type.name());
    }
  }

  /** Returns a version that isn't stored yet. */
  public SchemaVersion version(StoredSchema schema, long id, String runtimeId, String reason) {
    return version(schema, id, runtimeId, reason, NO_RENAMES);
  }

  /** Returns a version that isn't stored yet, with the fields that it renames. */
  SchemaVersion version(
      StoredSchema schema,
      long id,
      String runtimeId,
      String reason,
      SortedMap<String, String> renamed) {
    return new SchemaVersion(
        schema.schema().id(),
        id,
        schema.json(),
        schema.hash(),
        UtcTimestamp.format(objects.store().clock().instant()),
        runtimeId,
        reason,
        renamed);
  }

  /**
   * Updates the documents after a commit that changed schemas. Later additions of other writers
   * stay.
   *
   * @param histories every version of each type that changed, the new one last
   */
  void applyCommit(Map<TypeId, List<SchemaVersion>> histories) {
    histories.forEach(
        (type, versions) -> {
          SchemaVersionsDocument file = SchemaVersionsDocument.read(objects, type);
          List<SchemaVersion> all = new ArrayList<>(versions);
          all.addAll(file.after(versions.get(versions.size() - 1).id()));
          file.withVersions(all).write(objects);
          entered(List.of(all.get(all.size() - 1)));
        });
  }

  /**
   * Registers a missing type, with the history it has on another branch, under the lock; its
   * versions are written last, as in a declaration.
   */
  void enter(TypeId type, List<SchemaVersion> history) {
    entered(List.of(history.get(history.size() - 1)));
    SchemaVersionsDocument.read(objects, type).withVersions(history).write(objects);
  }

  /** Returns the versions of dropped types of a name. */
  List<SchemaVersion> formerVersions(TypeId type) {
    return SchemaVersionsDocument.read(objects, type).former();
  }

  /**
   * Adds another catalog's versions of dropped types of a name: a branch that begins before the
   * drop has the type.
   */
  void addFormerVersions(TypeId type, List<SchemaVersion> theirs) {
    SchemaVersionsDocument file = SchemaVersionsDocument.read(objects, type);
    List<SchemaVersion> former = new ArrayList<>(file.former());
    theirs.stream()
        .filter(version -> former.stream().noneMatch(known -> known.id() == version.id()))
        .filter(version -> file.versions().stream().noneMatch(v -> v.id() == version.id()))
        .forEach(former::add);
    if (former.size() > file.former().size()) {
      file.withVersions(file.versions(), former).write(objects);
    }
  }

  private void entered(Collection<SchemaVersion> versions) {
    JsonDocumentEditor.of(objects, LedgerLayout.REGISTRY)
        .apply(json -> versions.forEach(version -> enter(json, version)));
    list.add(versions.stream().map(SchemaVersion::type).toList());
  }

  private void enter(ObjectNode registry, SchemaVersion version) {
    TypeId type = version.type();
    list.section(registry, type.kind()).set(type.name(), tree(version));
  }

  /**
   * Problem with a document.
   *
   * @param text the document and the problem
   * @param mendable whether {@link #restore} repairs it; else only a copy of the document does
   */
  public record Finding(String text, boolean mendable) {

    static Finding stale(String path, String problem) {
      return new Finding(path + " " + problem, true);
    }

    static Finding of(CorruptLedgerException e) {
      return new Finding(String.valueOf(e.getMessage()), false);
    }

    /**
     * Returns the finding about a type that is declared and has no rows, or whose declaration is
     * incomplete.
     */
    static Finding lost(TypeId type) {
      return new Finding(
          LedgerLayout.versions(type)
              + " is missing or empty, while "
              + LedgerLayout.REGISTRY
              + " has a schema of "
              + type
              + "; restore it from a copy, or declare the type again",
          false);
    }

    static Finding damage(String path, String problem) {
      return new Finding(path + " " + problem + "; restore it from a copy", false);
    }
  }

  /** Returns the problems of the documents; reads the whole chain. */
  public List<Finding> check(PinnedHead pinnedHead) {
    return new CatalogCheck(objects, manifestChain, this, list).run(pinnedHead);
  }

  /**
   * Rewrites the list of types and the registry from the versions of the types, and these from the
   * chain where they are behind it; under the lock. The registry keeps its entries of types whose
   * versions are damaged.
   */
  public void restore(PinnedHead pinnedHead) {
    List<SchemaVersion> current = new ArrayList<>();
    List<TypeId> damaged = new ArrayList<>();
    for (TypeId type : types(pinnedHead)) {
      registered(type, pinnedHead)
          .ifPresent(
              version ->
                  SchemaVersionsDocument.read(objects, type)
                      .withVersions(List.of(version))
                      .write(objects));
      Optional<TypeHistory> found = intact(type, pinnedHead);
      if (found.isEmpty()) {
        damaged.add(type);
      } else if (!found.get().versions().isEmpty()) {
        List<SchemaVersion> versions = found.get().versions();
        if (found.get().isBehind()) {
          applyCommit(Map.of(type, versions));
        }
        current.add(versions.get(versions.size() - 1));
      }
    }
    JsonDocumentEditor.of(objects, LedgerLayout.REGISTRY)
        .apply(
            json -> {
              retain(json, damaged);
              current.forEach(version -> enter(json, version));
            });
    list.add(types(pinnedHead));
  }

  /** Removes all other entries from a registry. */
  private static void retain(ObjectNode registry, List<TypeId> types) {
    ObjectNode before = registry.deepCopy();
    for (TypeKind typeKind : TypeKind.values()) {
      ObjectNode section = registry.putObject(typeKind.singular());
      types.stream()
          .filter(type -> type.kind() == typeKind)
          .filter(type -> before.path(typeKind.singular()).has(type.name()))
          .forEach(
              type -> section.set(type.name(), before.path(typeKind.singular()).path(type.name())));
    }
  }

  JsonNode tree(SchemaVersion version) {
    try {
      return CanonicalJson.parse(version.schemaJson());
    } catch (IOException e) {
      throw objects.corrupt(
          LedgerLayout.versions(version.type()),
          "has a schema_json that is no JSON: " + e.getMessage());
    }
  }

  /**
   * Updates the documents after a commit that dropped types. A type that has been declared again
   * since stays.
   *
   * @param dropped the types, each with the last version it had
   */
  void applyCommit(Map<TypeId, Long> dropped, long commitId) {
    for (Map.Entry<TypeId, Long> each : dropped.entrySet()) {
      TypeId type = each.getKey();
      SchemaVersionsDocument file = SchemaVersionsDocument.read(objects, type);
      if (!file.after(each.getValue()).isEmpty()) {
        continue;
      }
      file.withVersions(List.of()).write(objects);
      JsonDocumentEditor.of(objects, LedgerLayout.REGISTRY)
          .apply(json -> list.section(json, type.kind()).remove(type.name()));
      list.remove(type);
      String now = UtcTimestamp.format(objects.store().clock().instant());
      JsonDocumentEditor.of(objects, LedgerLayout.DROPPED)
          .apply(
              json ->
                  json.withObject("/" + type.kind().singular())
                      .putObject(type.name())
                      .put("commit_id", commitId)
                      .put("purged", true)
                      .put("updated_at", now));
    }
  }

  /**
   * Completes drops whose writer died before it updated the documents, under the lock. Only types
   * that are listed and were dropped once are checked.
   */
  public void applyDrops(PinnedHead pinnedHead) {
    for (TypeId type : types(pinnedHead)) {
      long floor = pinnedHead.type(type).floor();
      if (floor > 0
          && intact(type, pinnedHead)
              .filter(typeHistory -> typeHistory.versions().isEmpty())
              .isPresent()) {
        applyCommit(Map.of(type, pinnedHead.type(type).version()), floor);
      }
    }
  }
}
