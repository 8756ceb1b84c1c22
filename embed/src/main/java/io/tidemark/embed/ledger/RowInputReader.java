// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.ledger.RowInput;
import io.tidemark.ledger.internal.transfer.JsonRecordReader;
import io.tidemark.ledger.internal.transfer.TextRecord;
import io.tidemark.ledger.internal.transfer.TransferException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** Reader of the rows of a request. */
final class RowInputReader {

  private RowInputReader() {}

  /** Passes every row of a part to the consumer. A stream that was given is left open. */
  static void read(RowInput.Part part, int longest, Consumer<TextRecord> rows) {
    try {
      InputStream text = part.source().open();
      try {
        JsonRecordReader.read(text, part.name(), longest, rows);
      } finally {
        if (part.repeatable()) {
          text.close();
        }
      }
    } catch (IOException e) {
      throw TransferException.reading(part.name(), e);
    }
  }
}
