// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerReader;
import io.tidemark.ledger.internal.catalog.FieldLineage;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions.Metadata;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions.Schema;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions.Scope;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.JsonFactCodec;
import io.tidemark.ledger.schema.PayloadProjection;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Export of the rows of a ledger as lines of JSON, type after type, all as of one moment. */
public final class LedgerExport {

  /** Suffix of the files of rows. */
  private static final String ROWS = ".jsonl";

  private final Ledger ledger;
  private final LedgerExportOptions options;
  private final LedgerReader ledgerReader;

  public LedgerExport(Ledger ledger, LedgerExportOptions options) {
    this.ledger = ledger;
    this.options = options;
    this.ledgerReader = ledger.reader();
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
    SortedSet<TypeId> all = ledgerReader.types();
    return types(all).stream()
        .map(type -> new Part(type, fileName(type, all), shown(type).version()))
        .toList();
  }

  /** Returns the newest commit of what is exported; 0 if there is none. */
  public long commitId() {
    return upTo();
  }

  /**
   * Passes the lines of all types to the consumer, one type after the other, without line ends.
   *
   * @throws InvalidSchemaException when there is no such type
   * @throws io.tidemark.ledger.store.UnknownCommitException when there is no such commit
   */
  public void lines(Consumer<String> lines) {
    for (TypeId type : types(ledgerReader.types())) {
      scan(shown(type), row -> lines.accept(line(type, row)));
    }
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
      return ledgerReader.commitAt(at.time());
    }
    return options.scope() instanceof Scope.AsOf asOf ? asOf.commitId() : ledgerReader.commitId();
  }

  /** Version of a type that rows are shown in, and how those of other versions are. */
  private record ExportSchema(SchemaVersion version, SortedMap<Long, PayloadProjection> others) {

    TypeId type() {
      return version.type();
    }

    Row of(Row row) {
      PayloadProjection projection = others.get(row.schemaVersionId());
      return projection == null
          ? row
          : new Row(
              row.commitId(),
              row.identity(),
              row.schemaVersionId(),
              projection.apply(row.fieldsJson()));
    }
  }

  private ExportSchema shown(TypeId type) {
    long commit =
        options.schema() instanceof Schema.AtCommit at ? at.commitId() : ledgerReader.commitId();
    SchemaVersion version =
        ledgerReader
            .schemaAt(type, commit)
            .orElseThrow(
                () ->
                    new InvalidSchemaException(
                        type
                            + " of commit "
                            + commit
                            + " was dropped later, and the one of now is another type; name a"
                            + " commit after the drop"));
    return new ExportSchema(
        version, new FieldLineage(ledgerReader.schemas(type)).projectionsTo(version));
  }

  private void scan(ExportSchema exportSchema, Consumer<Row> consumer) {
    Consumer<Row> rows = row -> consumer.accept(exportSchema.of(row));
    if (options.scope() instanceof Scope.HistorySince since) {
      ledgerReader.history(exportSchema.type(), since.commitId(), rows);
    } else {
      ledgerReader.asOf(exportSchema.type(), upTo(), rows);
    }
  }

  /** Returns the types with rows of other versions than they are shown in, found by queries. */
  public List<VersionMix> versions() {
    List<VersionMix> mixes = new ArrayList<>();
    for (TypeId type : types(ledgerReader.types())) {
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
    return options.schema() instanceof Schema.AtCommit at ? query.inSchemaOf(at.commitId()) : query;
  }

  private String line(TypeId type, Row row) {
    return options.metadata() == Metadata.COMMIT_ID
        ? JsonFactCodec.writeWithCommit(type, row)
        : JsonFactCodec.write(type, row);
  }

  /**
   * Returns the name of a type's file. An entity and a relation of one name have two files; no type
   * has an '@' in its name.
   */
  static String fileName(TypeId type, SortedSet<TypeId> all) {
    boolean twice =
        type.kind() == TypeKind.RELATION && all.contains(new TypeId(TypeKind.ENTITY, type.name()));
    return type.name() + (twice ? "@relation" : "") + ROWS;
  }
}
