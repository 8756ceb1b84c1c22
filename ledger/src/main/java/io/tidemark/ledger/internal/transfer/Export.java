// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Contents;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.catalog.FieldLineage;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.internal.transfer.ExportOptions.Metadata;
import io.tidemark.ledger.internal.transfer.ExportOptions.Schema;
import io.tidemark.ledger.internal.transfer.ExportOptions.Scope;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.JsonFacts;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.PayloadProjection;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Writes the rows of a ledger into a directory: a file of lines for each type, {@code
 * Customer.jsonl}, and {@code schema.json} with the schemas that the rows are shown in. All is as
 * of one moment. A file is under its name only once it is whole; files of that name that are there
 * already are replaced, others left alone.
 */
public final class Export {

  /** The file of the schemas. */
  public static final String SCHEMAS = "schema.json";

  /** What the files of rows end with. */
  public static final String ROWS = ".jsonl";

  private static final int STEP = 1000;

  private final Ledger ledger;
  private final ExportOptions options;
  private final Contents contents;

  public Export(Ledger ledger, ExportOptions options) {
    this.ledger = ledger;
    this.options = options;
    this.contents = ledger.contents();
  }

  /**
   * Type that is exported.
   *
   * @param file name of its file in a directory
   * @param version version of its schema that the rows are written in
   */
  public record Part(TypeId type, String file, SchemaVersion version) {}

  /** Returns the types that are exported, in the order of their lines. */
  public List<Part> parts() {
    SortedSet<TypeId> all = contents.types();
    return types(all).stream()
        .map(type -> new Part(type, fileName(type, all), shown(type).version()))
        .toList();
  }

  /** Returns the newest commit of what is exported; 0 if there is none. */
  public long commitId() {
    return upTo();
  }

  /**
   * What was written.
   *
   * @param commitId the newest commit of what was exported; 0 when there is none
   * @param rows how many rows of each type
   * @param versions the types with rows of other versions of their schema than they were written in
   */
  public record Report(long commitId, SortedMap<TypeId, Long> rows, List<VersionMix> versions) {}

  /**
   * Exports.
   *
   * @param progress is told now and then how many rows have been written
   * @throws InvalidSchemaException when there is no such type
   * @throws io.tidemark.ledger.store.UnknownCommitException when there is no such commit
   */
  public Report to(Path directory, LongConsumer progress) {
    SortedSet<TypeId> all = contents.types();
    SortedSet<TypeId> types = types(all);
    SortedMap<TypeId, Long> rows = new TreeMap<>();
    List<VersionMix> versions = new ArrayList<>();
    ArrayNode schemas = CanonicalJson.object().arrayNode();
    try {
      Files.createDirectories(directory);
      for (TypeId type : types) {
        Shown shown = shown(type);
        Sheet sheet = new Sheet(shown, rows.values().stream().mapToLong(n -> n).sum(), progress);
        sheet.write(directory.resolve(fileName(type, all)));
        rows.put(type, sheet.rows);
        shown.mix().ifPresent(versions::add);
        schemas.add(CanonicalJson.parse(shown.version().schemaJson()));
      }
      writeWhole(directory.resolve(SCHEMAS), out -> out.write(CanonicalJson.write(schemas) + "\n"));
    } catch (IOException e) {
      throw TransferException.writing(directory.toString(), e);
    }
    return new Report(upTo(), rows, versions);
  }

  /**
   * Hands on the lines of all types, one type after the other, without their ends.
   *
   * @throws InvalidSchemaException when there is no such type
   * @throws io.tidemark.ledger.store.UnknownCommitException when there is no such commit
   */
  public Report lines(Consumer<String> lines) {
    SortedMap<TypeId, Long> rows = new TreeMap<>();
    List<VersionMix> versions = new ArrayList<>();
    for (TypeId type : types(contents.types())) {
      long[] count = {0};
      Shown shown = shown(type);
      scan(
          shown,
          row -> {
            lines.accept(line(type, row));
            count[0]++;
          });
      rows.put(type, count[0]);
      shown.mix().ifPresent(versions::add);
    }
    return new Report(upTo(), rows, versions);
  }

  private SortedSet<TypeId> types(SortedSet<TypeId> all) {
    SortedSet<TypeId> types = options.types().isEmpty() ? all : new TreeSet<>(options.types());
    for (TypeId type : types) {
      if (!all.contains(type)) {
        throw new InvalidSchemaException("there is no type " + type + "; there are " + all);
      }
    }
    return types;
  }

  private long upTo() {
    if (options.scope() instanceof Scope.AtTime at) {
      return contents.commitAt(at.time());
    }
    return options.scope() instanceof Scope.AsOf asOf ? asOf.commitId() : contents.commitId();
  }

  /**
   * The version of a type that rows are shown in, and how those of other versions are.
   *
   * @param counts how many rows of each of these were shown
   */
  private record Shown(
      SchemaVersion version,
      SortedMap<Long, PayloadProjection> others,
      SortedMap<Long, Long> counts) {

    TypeId type() {
      return version.type();
    }

    Row of(Row row) {
      PayloadProjection projection = others.get(row.schemaVersionId());
      if (projection == null) {
        return row;
      }
      counts.merge(row.schemaVersionId(), 1L, Long::sum);
      return new Row(
          row.commitId(),
          row.identity(),
          row.schemaVersionId(),
          projection.apply(row.fieldsJson()));
    }

    Optional<VersionMix> mix() {
      return counts.isEmpty()
          ? Optional.empty()
          : Optional.of(VersionMix.of(type(), version.id(), counts, others));
    }
  }

  private Shown shown(TypeId type) {
    long commit =
        options.schema() instanceof Schema.AtCommit at
            ? at.commitId()
            : options.schema() instanceof Schema.Then ? upTo() : contents.commitId();
    SchemaVersion version =
        contents
            .schemaAt(type, commit)
            .orElseThrow(
                () ->
                    new InvalidSchemaException(
                        type
                            + " of commit "
                            + commit
                            + " was dropped later, and the one of now is another type; name a"
                            + " commit after the drop"));
    return new Shown(
        version, new FieldLineage(contents.schemas(type)).onto(version), new TreeMap<>());
  }

  private void scan(Shown shown, Consumer<Row> consumer) {
    Consumer<Row> rows = row -> consumer.accept(shown.of(row));
    if (options.scope() instanceof Scope.HistorySince since) {
      contents.history(shown.type(), since.commitId(), rows);
    } else {
      contents.asOf(shown.type(), upTo(), rows);
    }
  }

  /** Returns the schema versions that the report will name, found by queries before the export. */
  public List<VersionMix> versions() {
    List<VersionMix> mixes = new ArrayList<>();
    for (TypeId type : types(contents.types())) {
      mixes.addAll(asked(ledger.query().rows(type)).versions());
    }
    return mixes;
  }

  private QueryBuilder<ObjectNode> asked(QueryBuilder<ObjectNode> all) {
    QueryBuilder<ObjectNode> query = all;
    if (options.scope() instanceof Scope.HistorySince since) {
      query = query.since(since.commitId());
    } else if (options.scope() instanceof Scope.AsOf asOf) {
      query = query.asOf(asOf.commitId());
    } else if (options.scope() instanceof Scope.AtTime at) {
      query = query.asOf(at.time());
    }
    if (options.schema() instanceof Schema.AtCommit at) {
      return query.inSchemaOf(at.commitId());
    }
    return options.schema() instanceof Schema.Then ? query.inSchemaOfThen() : query;
  }

  private String line(TypeId type, Row row) {
    return options.metadata() == Metadata.COMMIT_ID
        ? JsonFacts.writeWithCommit(type, row)
        : JsonFacts.write(type, row);
  }

  /** An entity and a relation of one name have two files; no type has an '@' in its name. */
  static String fileName(TypeId type, SortedSet<TypeId> all) {
    boolean twice =
        type.kind() == Kind.RELATION && all.contains(new TypeId(Kind.ENTITY, type.name()));
    return type.name() + (twice ? "@relation" : "") + ROWS;
  }

  @FunctionalInterface
  private interface Writing {
    void to(BufferedWriter out) throws IOException;
  }

  private static void writeWhole(Path file, Writing writing) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (BufferedWriter out = Files.newBufferedWriter(part)) {
        writing.to(out);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** The file of one type. */
  private final class Sheet {
    private final Shown shown;
    private final long before;
    private final LongConsumer progress;
    private long rows;

    Sheet(Shown shown, long before, LongConsumer progress) {
      this.shown = shown;
      this.before = before;
      this.progress = progress;
    }

    void write(Path file) throws IOException {
      writeWhole(file, out -> scan(shown, row -> add(row, out)));
      progress.accept(before + rows);
    }

    private void add(Row row, BufferedWriter out) {
      try {
        out.write(line(shown.type(), row));
        out.write('\n');
      } catch (IOException e) {
        throw TransferException.writing("the rows of " + shown.type(), e);
      }
      if (++rows % STEP == 0) {
        progress.accept(before + rows);
      }
    }
  }
}
