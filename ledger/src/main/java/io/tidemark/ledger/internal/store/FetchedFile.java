// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import io.tidemark.ledger.internal.scratch.ScratchFile;

/** Data file that was fetched and found to be what its commit wrote. */
sealed interface FetchedFile extends AutoCloseable {

  /** File in memory. */
  final class Bytes implements FetchedFile {
    private final byte[] content;

    Bytes(byte[] content) {
      this.content = content;
    }

    byte[] content() {
      return content;
    }
  }

  /** File on the disk. */
  record Copy(ScratchFile file) implements FetchedFile {
    @Override
    public void close() {
      file.close();
    }
  }

  /**
   * File that isn't fetched yet, since it is too large for many of its size to wait for their turn.
   * It is asked for again then, which is little beside reading it.
   */
  record Deferred() implements FetchedFile {}

  @Override
  default void close() {}
}
