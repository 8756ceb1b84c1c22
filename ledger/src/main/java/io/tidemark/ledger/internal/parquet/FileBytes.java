// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Bytes of a file that is read, in memory or on disk. */
interface FileBytes extends AutoCloseable {

  /** Returns the number of bytes. */
  long length();

  /** Reads a part of the bytes, which must lie within the length. */
  byte[] read(long offset, int length) throws IOException;

  @Override
  void close() throws IOException;

  /** Returns the bytes of a file that is in memory as a whole. */
  static FileBytes of(byte[] bytes) {
    return new FileBytes() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public byte[] read(long offset, int length) {
        return Arrays.copyOfRange(bytes, (int) offset, (int) offset + length);
      }

      @Override
      public void close() {}
    };
  }

  /** Opens the bytes of a file on disk. */
  static FileBytes of(Path file) throws IOException {
    return of(FileChannel.open(file, StandardOpenOption.READ));
  }

  /** Returns the bytes of an open file, which is closed with them. */
  static FileBytes of(FileChannel channel) throws IOException {
    return new FileBytes() {
      private final long length = channel.size();

      @Override
      public long length() {
        return length;
      }

      @Override
      public byte[] read(long offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
          if (channel.read(buffer, offset + buffer.position()) < 0) {
            throw new EOFException("the file became shorter while it was read");
          }
        }
        return buffer.array();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
