// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.format.CompressionCodec;
import org.brotli.dec.BrotliInputStream;

/** Decompressor of pages, for the codecs that Parquet files have. */
final class PageDecompressor {

  /** Before each block of LZ4 as Hadoop frames it: the length of the content, and of the block. */
  private static final int HADOOP_FRAME = 2 * Integer.BYTES;

  /** A block of Zstandard has at least so many bytes ... */
  private static final int ZSTD_BLOCK = 4;

  /** ... and at most so many of content. */
  private static final int ZSTD_CONTENT = 1 << 17;

  /** No byte of a block of LZ4 stands for more bytes of content. */
  private static final int LZ4_CONTENT = 255;

  private final CompressionCodec codec;

  PageDecompressor(CompressionCodec codec) {
    this.codec = codec;
  }

  /**
   * Returns the content of a page. The length is what the file claims: memory is only set aside for
   * as much as the compressed bytes can hold.
   *
   * @param length how many bytes the content has
   * @throws CorruptFileException when it isn't what the codec makes, or of another length
   */
  byte[] decompress(byte[] chunk, int start, int end, int length) {
    return switch (codec) {
      case UNCOMPRESSED -> Arrays.copyOfRange(chunk, start, end);
      case SNAPPY -> Snappy.decompress(chunk, start, end, length);
      case GZIP -> unpacked(length, () -> new GZIPInputStream(stream(chunk, start, end)));
      case BROTLI -> unpacked(length, () -> new BrotliInputStream(stream(chunk, start, end)));
      case ZSTD ->
          block(
              length,
              ((end - start) / ZSTD_BLOCK + 1L) * ZSTD_CONTENT,
              out -> new ZstdDecompressor().decompress(chunk, start, end - start, out, 0, length));
      case LZ4_RAW ->
          block(length, (long) (end - start) * LZ4_CONTENT, out -> lz4(chunk, start, end, out, 0));
      case LZ4 ->
          block(
              length,
              (long) (end - start) * LZ4_CONTENT,
              out -> lz4OfHadoop(chunk, start, end, out));
      default ->
          throw ParquetFile.corrupt(
              "its pages are compressed with "
                  + codec
                  + ", which can't be read; have its writer compress with ZSTD, SNAPPY, GZIP, LZ4 or"
                  + " BROTLI instead",
              null);
    };
  }

  private static InputStream stream(byte[] chunk, int start, int end) {
    return new ByteArrayInputStream(chunk, start, end - start);
  }

  private static int lz4(byte[] chunk, int start, int end, byte[] out, int at) {
    return new Lz4Decompressor().decompress(chunk, start, end - start, out, at, out.length - at);
  }

  /**
   * Unpacks LZ4 as Hadoop frames it; some writers leave the frames out, and their block is read as
   * it is.
   */
  private static int lz4OfHadoop(byte[] chunk, int start, int end, byte[] out) {
    ByteBuffer in = ByteBuffer.wrap(chunk, start, end - start);
    int written = 0;
    while (in.remaining() >= HADOOP_FRAME) {
      int content = in.getInt();
      int block = in.getInt();
      if (content < 0 || content > out.length - written || block < 0 || block > in.remaining()) {
        return lz4(chunk, start, end, out, 0);
      }
      written += lz4(chunk, in.position(), in.position() + block, out, written);
      in.position(in.position() + block);
    }
    return written;
  }

  /** Opener of a stream of the content. */
  @FunctionalInterface
  private interface Opening {
    InputStream open() throws IOException;
  }

  private static byte[] unpacked(int length, Opening opening) {
    try (InputStream in = opening.open()) {
      byte[] bytes = in.readNBytes(length);
      requireLength(length, bytes.length);
      return bytes;
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  /** Decompressor that writes the content to an array of its length and returns its size. */
  @FunctionalInterface
  private interface Block {
    int to(byte[] out);
  }

  private static byte[] block(int length, long most, Block block) {
    if (length > most) {
      throw ParquetFile.corrupt(
          "a page of " + length + " bytes where at most " + most + " can be", null);
    }
    byte[] bytes = new byte[length];
    try {
      requireLength(length, block.to(bytes));
      return bytes;
    } catch (MalformedInputException | IndexOutOfBoundsException e) {
      throw damaged(e);
    }
  }

  private static void requireLength(int expected, int found) {
    if (found != expected) {
      throw ParquetFile.corrupt("a page of " + expected + " bytes has only " + found, null);
    }
  }

  private static CorruptFileException damaged(Exception e) {
    return ParquetFile.corrupt("a page can't be unpacked: " + e.getMessage(), e);
  }
}
