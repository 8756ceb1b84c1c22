// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.Expect;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.transfer.JsonRecordReader;
import io.tidemark.ledger.internal.transfer.LedgerImport;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.Mode;
import io.tidemark.ledger.internal.transfer.LedgerImportReport;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Ours: a new ledger, and one session that writes to it. */
public final class LedgerAppender implements Appender {

  /**
   * A writer gives the lock back when it pauses, and it would pause whenever it is the peer's turn;
   * what is measured is one that is busy.
   */
  private static final Duration BUSY = Duration.ofMinutes(10);

  private static final int LONGEST_ROW = 1 << 20;

  private static final List<TypeSchema> TYPES = List.of(RecordType.of(Customer.class).schema());

  private final Ledger ledger;
  private final Session session;

  public LedgerAppender(ObjectStore store) {
    new LedgerInitializer(store, "ledger/").init();
    WriterSettings busy = WriterSettings.standard().withRuntimeId("bench").withIdleAfter(BUSY);
    LedgerOptions options =
        LedgerOptions.standard().withWriter(busy).withMaxBatchSize(Integer.MAX_VALUE);
    this.ledger = Ledger.open(store, "ledger/", options);
    this.session = ledger.session(RecordType.of(Customer.class));
  }

  @Override
  public void commit(List<Customer> rows) {
    queue(rows);
    commitQueued();
  }

  void queue(List<Customer> rows) {
    session.ensure(rows);
  }

  void commitQueued() {
    Expect.equal(1, session.commit().isPresent() ? 1 : 0);
  }

  /** Imports the rows of a file, at once. */
  LedgerImportReport importFile(Path file) {
    LedgerImport wanted =
        new LedgerImport(
            ledger, LedgerImportOptions.standard().withMode(Mode.APPLY).withDeclared(TYPES));
    try (InputStream rows = Files.newInputStream(file)) {
      return wanted.from(
          records -> JsonRecordReader.read(rows, file.toString(), LONGEST_ROW, records),
          read -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void settle() {
    ledger.flush();
  }

  @Override
  public void close() {
    session.close();
    ledger.close();
  }
}
