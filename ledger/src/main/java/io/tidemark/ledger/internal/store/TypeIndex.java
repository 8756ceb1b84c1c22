// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.parquet.RowFile;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.Register;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Index of the files that hold the rows of a type, up to some commit. A help, not the truth: that
 * is the {@link ManifestChain}, and files that are missing here are found there.
 *
 * @param maxIndexedCommit every commit up to this one has been considered
 * @param entries in the order of their commits, none overlapping another
 * @param rest the other members of the document, kept for the program that wrote them
 */
public record TypeIndex(
    TypeId type,
    long maxIndexedCommit,
    List<Entry> entries,
    Optional<String> epoch,
    ObjectNode rest) {

  /**
   * File and the commits its rows are of.
   *
   * @param json all of the entry as stored: of our own writing it has the file's hash and rows, too
   */
  public record Entry(long min, long max, String path, ObjectNode json) {

    static Entry of(long commitId, DataFile file) {
      ObjectNode json =
          CanonicalJson.object()
              .put("min_commit_id", commitId)
              .put("max_commit_id", commitId)
              .put("path", file.path());
      if (file.rowCount() > 0) {
        json.put("row_count", file.rowCount());
      }
      file.sha256().ifPresent(hash -> json.put("content_sha256", hash));
      file.sizeBytes().ifPresent(size -> json.put("size_bytes", size));
      return new Entry(commitId, commitId, file.path(), json);
    }

    /**
     * Returns the entry of a snapshot.
     *
     * @param previous the commit before its first one that touched the type, 0 for none; by it one
     *     finds out later that nothing is missing in between
     */
    public static Entry ofSnapshot(String path, RowFile file, long previous) {
      long min = file.minCommitId();
      long max = file.maxCommitId();
      ObjectNode json =
          CanonicalJson.object()
              .put("min_commit_id", min)
              .put("max_commit_id", max)
              .put("path", path)
              .put("row_count", file.rowCount())
              .put("content_sha256", file.contentSha256())
              .put("size_bytes", file.body().length())
              .put("previous_commit_id", previous);
      return new Entry(min, max, path, json);
    }

    /** Returns whether it is a file of one commit, and not a snapshot. */
    public boolean isOfOneCommit() {
      return min == max;
    }

    boolean covers(long commitId) {
      return min <= commitId && commitId <= max;
    }

    boolean intersects(long lowerExclusive, long upper) {
      return max > lowerExclusive && min <= upper;
    }

    public Optional<String> sha256() {
      return Optional.ofNullable(json.path("content_sha256").textValue());
    }

    /** Returns how many rows it has; empty when the writer of the index didn't say. */
    public OptionalLong rowCount() {
      return number("row_count");
    }

    /** Returns how many bytes the file has; empty when the writer of the index didn't say. */
    public OptionalLong sizeBytes() {
      return number("size_bytes");
    }

    /**
     * Returns the commit before its first one that touched the type; empty when the entry doesn't
     * say.
     */
    public OptionalLong previous() {
      return number("previous_commit_id");
    }

    private OptionalLong number(String name) {
      JsonNode value = json.path(name);
      return value.isIntegralNumber() ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
    }
  }

  private static final Comparator<Entry> BY_COMMIT = Comparator.comparingLong(Entry::min);

  public TypeIndex {
    entries = entries.stream().sorted(BY_COMMIT).toList();
  }

  /** Returns whether it has a file with rows of that commit, as far as its entries tell. */
  public boolean covers(long commitId) {
    return entries.stream().anyMatch(entry -> entry.covers(commitId));
  }

  /**
   * Returns whether it claims to know of a commit that has rows of the type, and has none of it:
   * the index is from after a drop, and its reader is from before.
   */
  public boolean lacks(long touched) {
    return touched > 0 && touched <= maxIndexedCommit && !covers(touched);
  }

  /** Returns whether the index was last written by a program that seals it, and so is complete. */
  boolean isSealed() {
    return rest.has(DocumentChecksum.FIELD);
  }

  /**
   * Returns the index with the files that the chain has up to a commit, in place of all that the
   * entries say of single commits up to there. Snapshots stay.
   */
  TypeIndex correctedBy(List<Entry> truth, long upTo) {
    List<Entry> kept =
        entries.stream().filter(entry -> !entry.isOfOneCommit() || entry.min() > upTo).toList();
    return new TypeIndex(type, maxIndexedCommit, kept, epoch, rest).with(truth, maxIndexedCommit);
  }

  /** Returns the index of a type that has none: nothing is known. */
  public static TypeIndex none(TypeId type, Optional<String> epoch) {
    return new TypeIndex(type, 0, List.of(), epoch, CanonicalJson.object());
  }

  /** Returns the index with more entries, each in place of what covers the same commit alone. */
  public TypeIndex with(List<Entry> more, long maxIndexed) {
    List<Entry> all = new ArrayList<>(entries);
    for (Entry entry : more) {
      all.removeIf(old -> old.isOfOneCommit() && old.min() == entry.min());
      if (all.stream().noneMatch(old -> old.covers(entry.min()))) {
        all.add(entry);
      }
    }
    return new TypeIndex(type, Math.max(maxIndexedCommit, maxIndexed), all, epoch, rest);
  }

  /**
   * Returns the index with a snapshot in the place of the files it was made of; empty unless these
   * are all there, by their very paths, and nothing else is between them.
   */
  public Optional<TypeIndex> replacing(List<Entry> inputs, Entry snapshot) {
    Set<String> paths = inputs.stream().map(Entry::path).collect(Collectors.toSet());
    List<Entry> left = new ArrayList<>(entries);
    left.removeIf(entry -> paths.contains(entry.path()));
    boolean allThere = left.size() == entries.size() - inputs.size();
    if (!allThere
        || left.stream().anyMatch(e -> e.intersects(snapshot.min() - 1, snapshot.max()))) {
      return Optional.empty();
    }
    left.add(snapshot);
    return Optional.of(new TypeIndex(type, maxIndexedCommit, left, epoch, rest));
  }

  /**
   * Returns the format in which an index of the given epoch is stored; one of another epoch has no
   * meaning.
   *
   * @param check applied to an index that was read
   */
  public static Register.Format<TypeIndex> format(
      TypeId type, Optional<String> epoch, UnaryOperator<TypeIndex> check) {
    return Register.Format.of(
        found -> read(type, epoch, found.bytes()).map(check),
        index -> CanonicalJson.write(index.json()));
  }

  public ObjectNode json() {
    ObjectNode json = rest.deepCopy();
    json.put("type_name", type.name()).put("max_indexed_commit", maxIndexedCommit);
    epoch.ifPresent(value -> json.put("epoch", value));
    ArrayNode list = json.putArray("entries");
    entries.forEach(entry -> list.add(entry.json()));
    return DocumentChecksum.add(json);
  }

  /**
   * Reads an index; empty when it makes no sense or is of a ledger that was in this place before,
   * which is the same as having none.
   */
  public static Optional<TypeIndex> read(TypeId type, Optional<String> epoch, byte[] bytes) {
    try {
      return parse(type, epoch, CanonicalJson.parse(bytes));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<TypeIndex> parse(TypeId type, Optional<String> epoch, JsonNode json) {
    List<Entry> entries = new ArrayList<>();
    for (JsonNode each : json.path("entries")) {
      long min = each.path("min_commit_id").asLong();
      long max = each.path("max_commit_id").asLong();
      String path = each.path("path").asText();
      if (!(each instanceof ObjectNode object) || min < 1 || max < min || path.isEmpty()) {
        return Optional.empty();
      }
      entries.add(new Entry(min, max, path, object));
    }
    JsonNode indexed = json.path("max_indexed_commit");
    Optional<String> said = Optional.ofNullable(json.path("epoch").textValue());
    boolean ofThisLedger = said.isEmpty() || said.equals(epoch);
    if (!(json instanceof ObjectNode object) || !indexed.isIntegralNumber() || !ofThisLedger) {
      return Optional.empty();
    }
    if (DocumentChecksum.isMismatched(object)) {
      return Optional.empty(); // damaged, or changed by a program that keeps what it doesn't know
    }
    TypeIndex index = new TypeIndex(type, indexed.asLong(), entries, epoch, object);
    return index.overlaps() ? Optional.empty() : Optional.of(index);
  }

  private boolean overlaps() {
    for (int i = 1; i < entries.size(); i++) {
      if (entries.get(i).min() <= entries.get(i - 1).max()) {
        return true;
      }
    }
    return false;
  }
}
