// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages whose header claims more than there is. */
class PageDecompressorTest {

  private static byte[] compressed(CompressionCodec codec, byte[] content) throws IOException {
    return switch (codec) {
      case SNAPPY -> {
        byte[] out = new byte[Snappy.mostFor(content.length)];
        yield Arrays.copyOf(out, Snappy.compress(content, 0, content.length, out));
      }
      case GZIP -> {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
          gzip.write(content);
        }
        yield out.toByteArray();
      }
      case ZSTD -> compressed(new ZstdCompressor(), content);
      case LZ4_RAW -> compressed(new Lz4Compressor(), content);
      case LZ4 -> {
        byte[] block = compressed(new Lz4Compressor(), content);
        yield ByteBuffer.allocate(block.length + 8)
            .putInt(content.length)
            .putInt(block.length)
            .put(block)
            .array();
      }
      default -> throw new IllegalArgumentException(codec.toString());
    };
  }

  private static byte[] compressed(Compressor compressor, byte[] content) {
    byte[] out = new byte[compressor.maxCompressedLength(content.length)];
    return Arrays.copyOf(out, compressor.compress(content, 0, content.length, out, 0, out.length));
  }

  @ParameterizedTest
  @EnumSource(names = {"SNAPPY", "GZIP", "ZSTD", "LZ4_RAW", "LZ4"})
  void aPageThatClaimsMoreThanItCanHoldIsCorruptBeforeMemoryIsTaken(CompressionCodec codec)
      throws IOException {
    byte[] page = compressed(codec, new byte[1000]);
    PageDecompressor decompressor = new PageDecompressor(codec);

    assertThat(decompressor.decompress(page, 0, page.length, 1000)).isEqualTo(new byte[1000]);
    // No Java has an array of that length: setting it aside would be an error of another kind.
    assertThatThrownBy(() -> decompressor.decompress(page, 0, page.length, Integer.MAX_VALUE))
        .isInstanceOf(CorruptFileException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"SNAPPY", "GZIP", "ZSTD", "LZ4_RAW", "LZ4"})
  void contentThatIsPackedAsTightlyAsCanBeIsUnpacked(CompressionCodec codec) throws IOException {
    for (int length : List.of(0, 1, 100, (1 << 17) - 1, 1 << 17, (1 << 17) + 1, 10_000_000)) {
      byte[] page = compressed(codec, new byte[length]);

      assertThat(new PageDecompressor(codec).decompress(page, 0, page.length, length))
          .isEqualTo(new byte[length]);
    }
  }

  private static ColumnPageReader pages(int claimed, long most) throws IOException {
    byte[] content = compressed(CompressionCodec.ZSTD, new byte[1000]);
    PageHeader header = new PageHeader(PageType.DATA_PAGE, claimed, content.length);
    header.setData_page_header(
        new DataPageHeader(10, Encoding.PLAIN, Encoding.RLE, Encoding.BIT_PACKED));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writePageHeader(header, out);
    out.write(content);
    ColumnMetaData meta =
        new ColumnMetaData(
            Type.INT64,
            List.of(Encoding.PLAIN),
            List.of("n"),
            CompressionCodec.ZSTD,
            10,
            most,
            out.size(),
            0);
    return new ColumnPageReader(meta, out.toByteArray(), most);
  }

  @Test
  void aPageMayHaveAsManyBytesAsItsGroupOfRows() throws IOException {
    assertThat(pages(1000, 1000).readPage()).isNotNull();
    assertThatThrownBy(() -> pages(1000, 999).readPage())
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("a page of 1000 bytes where its group of rows has 999");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void aPageOfLessThanNothingIsCorrupt(int claimed) {
    assertThatThrownBy(() -> pages(claimed, Long.MAX_VALUE).readPage())
        .isInstanceOf(CorruptFileException.class);
  }
}
