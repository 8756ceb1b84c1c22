// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scratch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File that has no name any more, so that it is gone when this process is, however it ends.
 *
 * <p>It is written by one thread, and then read by any number.
 */
public final class ScratchFile implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ScratchFile.class);

  private static final int PIECE = 1 << 18;

  private final FileChannel file;

  /** Creates an empty file in the directory for temporary files. */
  public ScratchFile() throws IOException {
    Path path = Files.createTempFile("tidemark-", ".scratch");
    file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Files.delete(path);
  }

  /** Returns the number of bytes in the file. */
  public long size() throws IOException {
    return file.size();
  }

  /** Returns a stream that appends, unbuffered; closing the stream doesn't close the file. */
  public OutputStream append() throws IOException {
    file.position(file.size());
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        while (buffer.hasRemaining()) {
          file.write(buffer);
        }
      }
    };
  }

  /** Returns an unbuffered stream from that position; closing the stream doesn't close the file. */
  public InputStream read(long start) {
    return new InputStream() {
      private long position = start;

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = file.read(ByteBuffer.wrap(bytes, offset, length), position);
        position += Math.max(read, 0);
        return read;
      }

      /** Transfers larger pieces than the default would. */
      @Override
      public long transferTo(OutputStream out) throws IOException {
        long first = position;
        byte[] piece = new byte[PIECE];
        for (int read = read(piece, 0, PIECE); read >= 0; read = read(piece, 0, PIECE)) {
          out.write(piece, 0, read);
        }
        return position - first;
      }
    };
  }

  /** Returns the channel that reads the file at any position; closed with this. */
  public FileChannel channel() {
    return file;
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("a temporary file couldn't be closed", e);
    }
  }
}
