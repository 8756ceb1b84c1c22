// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.ledger.store.Outbox;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Manifest of a commit. Never changes once it is written.
 *
 * <p>Beside what every program writes, it carries what saves readers from walking the chain: a
 * summary of each type, and ancestors. Commits of other programs lack both.
 *
 * @param parent the commit before; empty for the first
 * @param types a summary of each type that the ledger has or had; empty when another program wrote
 *     the commit
 * @param ancestors commits on the way back, so that any is reached in few steps; see {@link
 *     ManifestChain}
 * @param schemaVersions schemas that became current with this very commit
 * @param merged the newest commits of other branches that this one has taken in, itself or by a
 *     commit before it: all that led to them is known here, too
 * @param outboxSize how many documents it carries for other programs; see {@link Outbox}
 */
public record Manifest(
    long commitId,
    Optional<Link> parent,
    Instant createdAt,
    String runtimeId,
    ObjectNode metadata,
    List<DataFile> files,
    Optional<SortedMap<TypeId, TypeSummary>> types,
    Optional<List<Link>> ancestors,
    List<SchemaVersion> schemaVersions,
    List<Link> merged,
    int outboxSize) {

  /** Link to a commit: its id and where its manifest is. */
  public record Link(long commitId, String path) {}

  public static final String DROP_OPERATION = "schema_drop";

  private static final String OUTBOX = "outbox";

  public Manifest {
    metadata = metadata.deepCopy();
    files = List.copyOf(files);
    types = types.map(Collections::unmodifiableSortedMap);
    ancestors = ancestors.map(List::copyOf);
    schemaVersions = List.copyOf(schemaVersions);
    merged = List.copyOf(merged);
  }

  /** Returns the manifest of the empty state before the first commit, which no ledger stores. */
  public static Manifest ofEmptyState() {
    return new Manifest(
        0,
        Optional.empty(),
        Instant.EPOCH,
        "",
        CanonicalJson.object(),
        List.of(),
        Optional.of(new TreeMap<>()),
        Optional.of(List.of()),
        List.of(),
        List.of(),
        0);
  }

  /** Returns the file of a type in this very commit. */
  public Optional<DataFile> file(TypeId type) {
    return files.stream().filter(file -> file.type().equals(type)).findFirst();
  }

  /** Returns how many rows the commit wrote. */
  public long rowCount() {
    return files.stream().mapToLong(DataFile::rowCount).sum();
  }

  /** Returns the types that this very commit has rows of, or dropped. */
  public SortedSet<TypeId> touched() {
    Stream<TypeId> written = files.stream().map(DataFile::type);
    Stream<TypeId> dropped =
        types.stream().flatMap(all -> all.keySet().stream()).filter(this::drops);
    return Stream.concat(written, dropped).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the types that have rows of, or were dropped by, commits after the given one up to
   * this.
   */
  public SortedSet<TypeId> typesTouchedSince(long commit) {
    return typesWhere(type -> type.lastCommit() > commit || type.floor() > commit);
  }

  /**
   * Returns the types whose summary meets a condition; none when another program wrote the commit.
   */
  public SortedSet<TypeId> typesWhere(Predicate<TypeSummary> condition) {
    SortedSet<TypeId> found = new TreeSet<>();
    types.ifPresent(
        all ->
            all.forEach(
                (type, summary) -> {
                  if (condition.test(summary)) {
                    found.add(type);
                  }
                }));
    return found;
  }

  /** Returns whether it summarises types, which commits of other programs don't. */
  public boolean hasTypes() {
    return types.isPresent();
  }

  /**
   * Returns the summary of a type; that of a type that nothing is known of when another program
   * wrote the commit.
   */
  public TypeSummary type(TypeId type) {
    return types.map(all -> all.getOrDefault(type, TypeSummary.NONE)).orElse(TypeSummary.NONE);
  }

  /**
   * Returns the last commit that may have rows of a type: any up to this one, if it doesn't say.
   */
  public long lastTouch(TypeId type) {
    return types.isPresent() ? type(type).lastCommit() : commitId;
  }

  /** Returns whether this very commit dropped the type. */
  public boolean drops(TypeId type) {
    if (!DROP_OPERATION.equals(metadata.path("operation").asText())) {
      return false;
    }
    if (types.isPresent()) {
      return type(type).floor() == commitId;
    }
    boolean isTarget =
        type.name().equals(metadata.path("target_type").asText())
            && type.kind().singular().equals(metadata.path("target_kind").asText());
    return isTarget || mentions(metadata.path("affected_types"), type);
  }

  /**
   * Returns whether a list mentions a type. Other programs write the list as text, in forms that
   * differ; the pair of words is what counts.
   */
  private static boolean mentions(JsonNode affected, TypeId type) {
    try {
      JsonNode list = affected.isTextual() ? CanonicalJson.parse(affected.textValue()) : affected;
      for (JsonNode each : list) {
        List<String> words = new ArrayList<>();
        each.forEach(word -> words.add(word.asText()));
        if (words.contains(type.kind().singular()) && words.contains(type.name())) {
          return true;
        }
      }
    } catch (IOException e) {
      return false; // no list that could name it
    }
    return false;
  }

  /**
   * Returns the manifest as it is stored.
   *
   * @param outbox the documents it carries for other programs
   */
  public ObjectNode json(Outbox outbox) {
    if (outbox.size() != outboxSize) {
      throw new IllegalArgumentException("its outbox has " + outboxSize + " documents");
    }
    ObjectNode json = CanonicalJson.object().put("commit_id", commitId);
    json.put("parent_commit_id", parent.map(Link::commitId).orElse(null));
    json.put("parent_manifest_path", parent.map(Link::path).orElse(null));
    json.put("created_at", UtcTimestamp.format(createdAt));
    json.put("runtime_id", runtimeId);
    json.set("metadata", metadata);
    ArrayNode list = json.putArray("files");
    files.forEach(file -> list.add(file.json()));
    types.ifPresent(all -> TypeSummary.write(json, all));
    if (ancestors.isPresent()) {
      write(json.putArray("ancestors"), ancestors.get());
    }
    if (!merged.isEmpty()) {
      write(json.putArray("merged"), merged);
    }
    if (!schemaVersions.isEmpty()) {
      ArrayNode versions = json.putArray("schema_versions");
      schemaVersions.forEach(version -> versions.add(version.withType()));
    }
    if (!outbox.isEmpty()) {
      ArrayNode documents = json.putArray(OUTBOX);
      outbox.documents().forEach(documents::add);
    }
    return DocumentChecksum.add(json);
  }

  private static void write(ArrayNode json, List<Link> links) {
    links.forEach(link -> json.addArray().add(link.commitId()).add(link.path()));
  }

  /**
   * Parses a stored manifest.
   *
   * @throws CorruptLedgerException when it makes no sense, or isn't what its commit wrote
   */
  public static Manifest parse(LedgerObjects objects, String path, byte[] bytes) {
    ObjectNode json = verified(objects, path, bytes);
    try {
      return parse(json);
    } catch (IllegalArgumentException e) {
      throw objects.corrupt(path, "makes no sense: " + e.getMessage());
    } catch (CorruptLedgerException e) {
      throw e;
    } catch (TidemarkException e) { // a type or value in it breaks a rule
      throw objects.corrupt(path, "makes no sense: " + e.getMessage());
    }
  }

  /** Returns the document of these bytes, if its checksum says that they are what was written. */
  private static ObjectNode verified(LedgerObjects objects, String path, byte[] bytes) {
    ObjectNode json = objects.parse(path, bytes);
    if (DocumentChecksum.isMismatched(json)) {
      throw objects.corrupt(path, "isn't what its commit wrote: its seal is broken");
    }
    return json;
  }

  /**
   * Reads the outbox documents of a commit, whatever they are: another program may have written
   * them.
   *
   * @param path of its manifest
   * @throws CorruptLedgerException when the manifest isn't there, or isn't what was written
   */
  public static List<JsonNode> outbox(LedgerObjects objects, String path) {
    byte[] bytes = objects.get(path).orElseThrow(() -> objects.corrupt(path, "is missing")).bytes();
    List<JsonNode> documents = new ArrayList<>();
    JsonNode stored = verified(objects, path, bytes).path(OUTBOX);
    if (stored.isArray()) {
      stored.forEach(documents::add);
    }
    return List.copyOf(documents);
  }

  private static Manifest parse(ObjectNode json) {
    JsonNode id = json.path("commit_id");
    if (!id.isIntegralNumber() || id.asLong() < 1) {
      throw new IllegalArgumentException("its commit_id is " + id);
    }
    List<DataFile> files = new ArrayList<>();
    json.path("files").forEach(file -> files.add(DataFile.parse(file)));
    List<SchemaVersion> versions = new ArrayList<>();
    json.path("schema_versions").forEach(version -> versions.add(SchemaVersion.parse(version)));
    Manifest manifest =
        new Manifest(
            id.asLong(),
            parent(json),
            UtcTimestamp.parse(json.path("created_at").asText()).orElse(Instant.EPOCH),
            json.path("runtime_id").asText(),
            json.path("metadata") instanceof ObjectNode metadata
                ? metadata
                : CanonicalJson.object(),
            files,
            TypeSummary.read(json),
            links(json.path("ancestors")),
            versions,
            links(json.path("merged")).orElse(List.of()),
            json.path(OUTBOX).isArray() ? json.path(OUTBOX).size() : 0);
    manifest.requirePast();
    return manifest;
  }

  /** Requires that links lead back: a reader that follows them nears the first with every step. */
  private void requirePast() {
    files.forEach(file -> file.previous().ifPresent(commit -> requirePast(commit, commitId - 1)));
    types.ifPresent(all -> all.values().forEach(this::requirePast));
    ancestors.ifPresent(links -> links.forEach(link -> requirePast(link.commitId(), commitId - 1)));
  }

  private void requirePast(TypeSummary type) {
    requirePast(type.lastCommit(), commitId);
    requirePast(type.schemaCommit(), commitId);
    requirePast(type.floor(), commitId);
  }

  private static void requirePast(long commit, long newest) {
    if (commit < 0 || commit > newest) {
      throw new IllegalArgumentException("it names commit " + commit + ", which isn't before it");
    }
  }

  /** Returns a manifest that says what this one leaves out, as commits of other programs do. */
  public Manifest withSummaries(SortedMap<TypeId, TypeSummary> summaries, List<Link> others) {
    return new Manifest(
        commitId,
        parent,
        createdAt,
        runtimeId,
        metadata,
        files,
        Optional.of(summaries),
        ancestors,
        schemaVersions,
        others,
        outboxSize);
  }

  private static Optional<Link> parent(ObjectNode json) {
    JsonNode path = json.path("parent_manifest_path");
    if (!path.isTextual()) {
      return Optional.empty();
    }
    return Optional.of(new Link(json.path("parent_commit_id").asLong(), path.textValue()));
  }

  private static Optional<List<Link>> links(JsonNode json) {
    if (!json.isArray()) {
      return Optional.empty();
    }
    List<Link> links = new ArrayList<>();
    json.forEach(link -> links.add(new Link(link.path(0).asLong(), link.path(1).asText())));
    return Optional.of(links);
  }
}
