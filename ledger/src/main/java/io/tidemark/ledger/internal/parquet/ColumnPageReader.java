// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;
import org.jspecify.annotations.Nullable;

/** Reader of the pages of one column in one group of rows, taken apart one by one. */
final class ColumnPageReader implements PageReader {

  /** The limits of pages aren't used, but the library wants to be told that there are none. */
  private static final Statistics<?> NONE =
      Statistics.noopStats(new PrimitiveType(Repetition.REQUIRED, PrimitiveTypeName.INT64, "none"));

  private final CompressionCodec codec;
  private final long values;
  private final long most;
  private final byte[] chunk;
  private final Position position = new Position();
  private long read;

  /** Position of the next page: a stream, since headers can be read from nothing else. */
  private static final class Position extends ByteArrayInputStream {
    Position() {
      super(new byte[0]);
    }

    void reset(byte[] bytes) {
      buf = bytes;
      pos = 0;
      count = bytes.length;
    }

    int take(int length) {
      if (length < 0 || length > count - pos) {
        throw ParquetFile.corrupt(
            "a page of " + length + " bytes where only " + (count - pos) + " are left", null);
      }
      int start = pos;
      pos += length;
      return start;
    }
  }

  /**
   * Takes apart the pages of a column.
   *
   * @param most how many bytes a page may have once it is unpacked
   */
  ColumnPageReader(ColumnMetaData meta, byte[] chunk, long most) {
    this.codec = meta.getCodec();
    this.values = meta.getNum_values();
    this.most = most;
    this.chunk = chunk;
    position.reset(chunk);
  }

  @Override
  public long getTotalValueCount() {
    return values;
  }

  @Override
  public @Nullable DictionaryPage readDictionaryPage() {
    position.mark(0);
    PageHeader header = header();
    if (header.getType() != PageType.DICTIONARY_PAGE) {
      position.reset();
      return null;
    }
    DictionaryPageHeader dictionary = header.getDictionary_page_header();
    byte[] words = plain(header, 0);
    return new DictionaryPage(
        BytesInput.from(words),
        within(dictionary.getNum_values(), words.length), // each takes a byte or more
        encoding(dictionary.getEncoding()));
  }

  @Override
  public @Nullable DataPage readPage() {
    while (read < values) {
      PageHeader header = header();
      DataPage page =
          switch (header.getType()) {
            case DATA_PAGE -> first(header);
            case DATA_PAGE_V2 -> second(header);
            default -> null;
          };
      if (page != null) {
        read += page.getValueCount();
        return page;
      }
      position.take(header.getCompressed_page_size());
    }
    return null;
  }

  private PageHeader header() {
    try {
      return Util.readPageHeader(position);
    } catch (IOException e) {
      throw ParquetFile.corrupt("a page can't be read: " + e.getMessage(), e);
    }
  }

  private DataPage first(PageHeader header) {
    DataPageHeader data = header.getData_page_header();
    return new DataPageV1(
        BytesInput.from(plain(header, 0)),
        within(data.getNum_values(), values - read),
        header.getUncompressed_page_size(),
        NONE,
        encoding(data.getRepetition_level_encoding()),
        encoding(data.getDefinition_level_encoding()),
        encoding(data.getEncoding()));
  }

  private DataPage second(PageHeader header) {
    DataPageHeaderV2 data = header.getData_page_header_v2();
    int repetition = data.getRepetition_levels_byte_length();
    int definition = data.getDefinition_levels_byte_length();
    int start = position.take(repetition);
    int levels = position.take(definition);
    return DataPageV2.uncompressed(
        data.getNum_rows(),
        data.getNum_nulls(),
        within(data.getNum_values(), values - read),
        BytesInput.from(chunk, start, repetition),
        BytesInput.from(chunk, levels, definition),
        encoding(data.getEncoding()),
        BytesInput.from(plain(header, repetition + definition)),
        NONE);
  }

  /**
   * Returns the content of a page as it was before it was compressed.
   *
   * @param levels how many of its bytes have been taken already
   */
  private byte[] plain(PageHeader header, int levels) {
    int start = position.take(header.getCompressed_page_size() - levels);
    int end = start + header.getCompressed_page_size() - levels;
    int length = header.getUncompressed_page_size() - levels;
    boolean compressed =
        !header.isSetData_page_header_v2() || header.getData_page_header_v2().isIs_compressed();
    if (codec == CompressionCodec.UNCOMPRESSED || !compressed) {
      return Arrays.copyOfRange(chunk, start, end);
    }
    if (length < 0 || length > most) {
      throw ParquetFile.corrupt(
          "a page of " + length + " bytes where its group of rows has " + most, null);
    }
    return new PageDecompressor(codec).decompress(chunk, start, end, length);
  }

  /** Returns a number of values, checked before memory is set aside for that many. */
  private static int within(int count, long most) {
    if (count < 0 || count > most) {
      throw ParquetFile.corrupt("a page of " + count + " values where " + most + " can be", null);
    }
    return count;
  }

  private static Encoding encoding(org.apache.parquet.format.Encoding encoding) {
    return Encoding.valueOf(encoding.name());
  }
}
