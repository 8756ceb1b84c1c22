// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.Streamed;
import io.tidemark.api.ledger.ExportHead;
import io.tidemark.api.ledger.ExportReport;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.LedgerTransfer;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** Exports and imports of a ledger on a server. */
record HttpTransfer(LedgerServer server) implements LedgerTransfer {

  @Override
  public Streamed<ExportHead, String> lines(ExportRequest request) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public ExportReport export(ExportRequest request, Path directory, LongConsumer progress) {
    throw new UnsupportedOperationException("not yet");
  }
}
