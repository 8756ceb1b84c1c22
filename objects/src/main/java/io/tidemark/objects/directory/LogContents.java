// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.UnsupportedStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Records of a segment of a log.
 *
 * @param boot of the machine when it was written
 * @param records in the order they were written
 */
record LogContents(Path path, String boot, List<LogRecord> records) {

  /** As much as disks write in one piece; records begin after it. */
  static final int HEADER = 512;

  /** No boot is called so. */
  static final String NO_BOOT = "";

  private static final byte[] FORMAT = "tidemark log 1\n\n".getBytes(StandardCharsets.US_ASCII);

  LogContents {
    records = List.copyOf(records);
  }

  /** Returns the first bytes of a segment. */
  static byte[] header(long generation, String boot) {
    ByteBuffer out = ByteBuffer.allocate(HEADER);
    byte[] name = boot.getBytes(StandardCharsets.UTF_8);
    out.put(FORMAT).putLong(generation).putInt(name.length).put(name);
    out.putInt(HEADER - Integer.BYTES, checksum(out.array()));
    return out.array();
  }

  /** Empty when it has no whole header: it is being made, and nothing has come to rely on it. */
  static Optional<LogContents> read(Path path) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    Optional<Header> header = Header.read(bytes);
    if (header.isEmpty()) {
      return Optional.empty();
    }
    List<LogRecord> records = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(bytes).position(HEADER);
    Optional<LogRecord> next = LogRecord.read(in, header.get().generation());
    while (next.isPresent()) {
      records.add(next.get());
      next = LogRecord.read(in, header.get().generation());
    }
    return Optional.of(new LogContents(path, header.get().boot(), records));
  }

  /** Returns the boot that a segment is of, without reading more than that. */
  static Optional<String> readBoot(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return Header.read(in.readNBytes(HEADER)).map(Header::boot);
    }
  }

  private static int checksum(byte[] header) {
    CRC32C sum = new CRC32C();
    sum.update(header, 0, HEADER - Integer.BYTES);
    return (int) sum.getValue();
  }

  private record Header(long generation, String boot) {
    static Optional<Header> read(byte[] bytes) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      if (bytes.length < HEADER || in.getInt(HEADER - Integer.BYTES) != checksum(bytes)) {
        return Optional.empty();
      }
      if (!in.slice(0, FORMAT.length).equals(ByteBuffer.wrap(FORMAT))) {
        throw new UnsupportedStoreException(
            "a write log in .tidemark/log is of a format that this version of Tidemark doesn't"
                + " know; open the store with a newer one");
      }
      in.position(FORMAT.length);
      long generation = in.getLong();
      byte[] name = new byte[in.getInt()];
      in.get(name);
      return Optional.of(new Header(generation, new String(name, StandardCharsets.UTF_8)));
    }
  }
}
