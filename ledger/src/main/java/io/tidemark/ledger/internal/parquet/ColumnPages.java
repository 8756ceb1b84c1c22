// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;

/** Pages of one column in one group of rows, kept until the group is complete. */
final class ColumnPages {

  private final ColumnDescriptor column;
  private final FileSizeClass size;
  private final List<byte[]> pages = new ArrayList<>();
  private final Set<Encoding> encodings = new LinkedHashSet<>();
  private final PlainBytes page;
  private byte[] compressed = {};
  private byte[] dictionary = {};
  private int referredTo;
  private Optional<Statistics> limits = Optional.empty();
  private long plainBytes;
  private long values;

  ColumnPages(ColumnDescriptor column, FileSizeClass size) {
    this.column = column;
    this.size = size;
    this.page = new PlainBytes(size == FileSizeClass.SMALL ? 256 : 1 << 16);
  }

  boolean isEmpty() {
    return pages.isEmpty();
  }

  /** Returns the empty buffer in which the next page is to be put together. */
  PlainBytes next() {
    page.clear();
    return page;
  }

  /**
   * Adds a page.
   *
   * @param content where it is, from a place on
   */
  void end(int valueCount, Encoding levels, Encoding encoding, PlainBytes content, int from)
      throws IOException {
    PageHeader header = new PageHeader(PageType.DATA_PAGE, 0, 0);
    header.setData_page_header(
        new DataPageHeader(valueCount, encoding, levels, Encoding.BIT_PACKED));
    pages.add(stored(header, content.array(), from, content.length()));
    encodings.add(levels);
    encodings.add(encoding);
    values += valueCount;
  }

  /** Notes that pages refer to so many values of the dictionary. */
  void refersTo(int count) {
    referredTo = count;
  }

  /** Sets the dictionary, of which it keeps what pages refer to. */
  void dictionary(ValueDictionary known) {
    if (referredTo == 0) {
      return;
    }
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, 0, 0);
    header.setDictionary_page_header(
        new DictionaryPageHeader(referredTo, Encoding.PLAIN_DICTIONARY));
    try {
      dictionary = stored(header, known.array(), 0, known.bytes(referredTo));
    } catch (IOException e) {
      throw new IllegalStateException("memory can be written to", e);
    }
  }

  void limits(Optional<Statistics> found) {
    limits = found;
  }

  private byte[] stored(PageHeader header, byte[] plain, int from, int to) throws IOException {
    header.setUncompressed_page_size(to - from);
    byte[] bytes = plain;
    int start = from;
    int count = to - from;
    if (size == FileSizeClass.LARGE) {
      int most = Snappy.mostFor(count);
      compressed = compressed.length < most ? new byte[most] : compressed;
      count = Snappy.compress(plain, from, to, compressed);
      bytes = compressed;
      start = 0;
    }
    header.setCompressed_page_size(count);
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    Util.writePageHeader(header, out);
    plainBytes += out.size() + (long) to - from;
    byte[] stored = Arrays.copyOf(out.toByteArray(), out.size() + count);
    System.arraycopy(bytes, start, stored, out.size(), count);
    return stored;
  }

  /** Appends the pages to a file and describes them for its footer. */
  ColumnChunk writeTo(HashingOutputStream hashingOutputStream) throws IOException {
    long start = hashingOutputStream.position();
    hashingOutputStream.keep(dictionary);
    long dataStart = hashingOutputStream.position();
    for (byte[] one : pages) {
      hashingOutputStream.keep(one);
    }
    ColumnMetaData meta =
        new ColumnMetaData(
            FooterWriter.physical(column.getPrimitiveType()),
            List.copyOf(encodings),
            List.of(column.getPath()),
            size == FileSizeClass.SMALL ? CompressionCodec.UNCOMPRESSED : CompressionCodec.SNAPPY,
            values,
            plainBytes,
            hashingOutputStream.position() - start,
            dataStart);
    if (dataStart > start) {
      meta.setDictionary_page_offset(start);
    }
    limits.ifPresent(meta::setStatistics);
    return new ColumnChunk(start).setMeta_data(meta);
  }
}
