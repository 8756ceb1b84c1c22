// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import io.tidemark.ledger.BulkWriter;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.catalog.SchemaService;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.Mode;
import io.tidemark.ledger.internal.transfer.LedgerImportReport.Status;
import io.tidemark.ledger.schema.JsonFactCodec;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Import of rows into a ledger.
 *
 * <p>All of the input is read and checked against its types before anything is written, and then
 * committed at once unless asked otherwise: so an import that fails or is killed leaves the ledger
 * as it was. Much input is set aside on the disk. The conflict policy and the precondition are
 * looked at on the very head that is committed on, see {@link
 * io.tidemark.ledger.internal.commit.CommitCondition}.
 *
 * <p>In parts, each commit is whole for itself; when one of them fails, those before it stay, and
 * the same import again, with rows that are there skipped or upserted, does the rest.
 */
public final class LedgerImport {

  private static final int STEP = 1000;

  private final Ledger ledger;
  private final LedgerImportOptions options;

  public LedgerImport(Ledger ledger, LedgerImportOptions options) {
    this.ledger = ledger;
    this.options = options;
  }

  /**
   * Imports the input, or reports what importing it would do.
   *
   * @param progress is told now and then how many records have been read
   * @throws SchemaOutdatedException when the ledger has other schemas than those declared
   * @throws io.tidemark.ledger.schema.InvalidValueException when a record doesn't fit its type
   * @throws TransferException when the input can't be read
   */
  public LedgerImportReport from(ImportInput input, LongConsumer progress) {
    try (Session session = ledger.session(types(), Integer.MAX_VALUE)) {
      read(input, session, progress);
      ImportCondition terms = new ImportCondition(options.onConflict(), options.precondition());
      long total = session.queued();
      boolean inParts = total > options.partSize();
      if (options.mode() == Mode.DRY_RUN || inParts) {
        session.preview(terms);
        if (options.mode() == Mode.DRY_RUN || !terms.isMet()) {
          return report(Status.DRY_RUN, List.of(), total, terms, terms.found());
        }
      }
      session.validate();
      List<Long> commits = new ArrayList<>();
      if (inParts) {
        session.commitInBatches(
            options.partSize(), options.metadata(), terms, commit -> note(commit, commits, terms));
      } else {
        session.commit(options.metadata(), terms).ifPresent(commit -> commits.add(commit.id()));
      }
      return report(Status.APPLIED, commits, total, terms, terms.applied());
    }
  }

  private static void note(Commit commit, List<Long> commits, ImportCondition terms) {
    commits.add(commit.id());
    terms.advanceTo(commit);
  }

  /** Returns the types of the ledger and the declared ones, which must agree. */
  private Collection<TypeSchema> types() {
    SortedMap<TypeId, TypeSchema> declared = new TreeMap<>();
    options.declared().forEach(schema -> declared.put(schema.id(), schema));
    SchemaService schemas = ledger.schemas();
    SchemaService.Comparison comparison = schemas.compare(declared.values());
    if (!comparison.diffs().isEmpty()) {
      throw new SchemaOutdatedException(comparison.diffs());
    }
    Map<TypeId, TypeSchema> types = new TreeMap<>(declared);
    schemas
        .current()
        .forEach(
            (type, version) -> types.put(type, StoredSchema.parse(version.schemaJson()).schema()));
    return types.values();
  }

  private static void read(ImportInput input, Session session, LongConsumer progress) {
    JsonFactCodec facts = JsonFactCodec.of(session.checks());
    AtomicLong count = new AtomicLong();
    try (BulkWriter<TextRecord> bulkWriter =
        session.bulkWriter(
            (record, out) -> record.read(facts, out), record -> record.read(facts::parse))) {
      input.forEach(
          record -> {
            bulkWriter.add(record, record.length());
            if (count.incrementAndGet() % STEP == 0) {
              progress.accept(count.get());
            }
          });
      bulkWriter.finish();
    }
    progress.accept(session.queued());
  }

  private static LedgerImportReport report(
      Status status,
      List<Long> commits,
      long total,
      ImportCondition terms,
      ImportCondition.Counts counts) {
    boolean holds = terms.isMet();
    List<String> reasons = new ArrayList<>(terms.found().named);
    terms.otherHead().ifPresent(reasons::add);
    return new LedgerImportReport(
        holds ? status : Status.CONFLICT,
        commits,
        total,
        counts.inserts,
        counts.updates,
        counts.unchanged,
        counts.skipped,
        holds ? 0 : terms.found().conflicts,
        reasons);
  }
}
