// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of which values of a page are there and which are null. As long as all are the same they
 * are only counted; only when one differs does the library's encoder take over.
 */
final class DefinitionLevelEncoder implements AutoCloseable {

  private static final int MOST_BYTES = 1 << 20;

  /** Fewer values than this that are alike are written bit by bit. */
  private static final int LEAST_RUN = 8;

  private int alike;
  private int level;
  private @Nullable RunLengthBitPackingHybridEncoder mixed;

  /** Adds the level of the next value: 1 when it is there, 0 when it is null. */
  void add(int next) {
    if (mixed == null && (next == level || alike == 0)) {
      level = next;
      alike++;
    } else {
      mix(next);
    }
  }

  private void mix(int next) {
    try {
      encoder().writeInt(next);
    } catch (IOException e) {
      throw new IllegalStateException("memory can be written to", e);
    }
  }

  private RunLengthBitPackingHybridEncoder encoder() throws IOException {
    RunLengthBitPackingHybridEncoder encoder = mixed;
    if (encoder == null) {
      encoder = encoder(1);
      for (int i = 0; i < alike; i++) {
        encoder.writeInt(level);
      }
      alike = 0;
      mixed = encoder;
    }
    return encoder;
  }

  static RunLengthBitPackingHybridEncoder encoder(int width) {
    return new RunLengthBitPackingHybridEncoder(
        width, 64, MOST_BYTES, HeapByteBufferAllocator.getInstance());
  }

  /** Writes the levels of a page before its values, and begins with the next page. */
  void endPage(PlainBytes page) throws IOException {
    BytesInput encoded =
        mixed == null && alike >= LEAST_RUN
            ? BytesInput.concat(BytesInput.fromUnsignedVarInt(alike << 1), byteOf(level))
            : encoder().toBytes();
    page.size((int) encoded.size());
    encoded.writeAllTo(page);
    close();
  }

  private static BytesInput byteOf(int value) {
    return BytesInput.from(new byte[] {(byte) value});
  }

  @Override
  public void close() {
    if (mixed != null) {
      mixed.close();
      mixed = null;
    }
    alike = 0;
  }
}
