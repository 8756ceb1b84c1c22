// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.SizeStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.statistics.geospatial.GeospatialStatistics;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;

/** The pages of one column in one group of rows, kept until the group is complete. */
final class ChunkPages implements PageWriter {

  private final ColumnDescriptor column;
  private final FileSize size;
  private final Statistics<?> statistics;
  private final ByteArrayOutputStream dictionary = new ByteArrayOutputStream(0);
  private final List<ByteArrayOutputStream> data = new ArrayList<>();
  private final Set<org.apache.parquet.format.Encoding> encodings = new LinkedHashSet<>();
  private long plainBytes;
  private long values;

  ChunkPages(ColumnDescriptor column, FileSize size) {
    this.column = column;
    this.size = size;
    this.statistics = Statistics.createStats(column.getPrimitiveType());
  }

  @Override
  public void writePage(
      BytesInput bytes,
      int valueCount,
      int rowCount,
      Statistics<?> pageStatistics,
      SizeStatistics sizeStatistics,
      GeospatialStatistics geospatialStatistics,
      Encoding repetition,
      Encoding definition,
      Encoding encoding)
      throws IOException {
    writePage(bytes, valueCount, rowCount, pageStatistics, repetition, definition, encoding);
  }

  @Override
  public void writePage(
      BytesInput bytes,
      int valueCount,
      int rowCount,
      Statistics<?> pageStatistics,
      Encoding repetition,
      Encoding definition,
      Encoding encoding)
      throws IOException {
    PageHeader header = new PageHeader(PageType.DATA_PAGE, 0, 0);
    header.setData_page_header(
        new DataPageHeader(valueCount, stored(encoding), stored(definition), stored(repetition)));
    write(header, bytes, nextPage());
    encodings.add(stored(definition));
    encodings.add(stored(encoding));
    statistics.mergeStatistics(pageStatistics);
    values += valueCount;
  }

  @Override
  public void writeDictionaryPage(DictionaryPage page) throws IOException {
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, 0, 0);
    header.setDictionary_page_header(
        new DictionaryPageHeader(page.getDictionarySize(), stored(page.getEncoding())));
    write(header, page.getBytes(), dictionary);
    encodings.add(stored(page.getEncoding()));
  }

  /**
   * Of a small file all pages are in one array; of a large one each is in its own, because an array
   * of many megabytes needs three times as much for a moment when it grows.
   */
  private ByteArrayOutputStream nextPage() {
    if (data.isEmpty() || size == FileSize.LARGE) {
      data.add(new ByteArrayOutputStream(size == FileSize.SMALL ? 256 : 0));
    }
    return data.get(data.size() - 1);
  }

  private void write(PageHeader header, BytesInput bytes, ByteArrayOutputStream target)
      throws IOException {
    int before = target.size();
    header.setUncompressed_page_size(Math.toIntExact(bytes.size()));
    if (size == FileSize.SMALL) {
      header.setCompressed_page_size(header.getUncompressed_page_size());
      Util.writePageHeader(header, target);
      bytes.writeAllTo(target);
    } else {
      ByteArrayOutputStream plain = new ByteArrayOutputStream((int) bytes.size());
      bytes.writeAllTo(plain);
      byte[] compressed = Snappy.compress(plain.toByteArray());
      header.setCompressed_page_size(compressed.length);
      Util.writePageHeader(header, target);
      target.write(compressed, 0, compressed.length);
    }
    int headerBytes = target.size() - before - header.getCompressed_page_size();
    plainBytes += headerBytes + header.getUncompressed_page_size();
  }

  private static org.apache.parquet.format.Encoding stored(Encoding encoding) {
    return org.apache.parquet.format.Encoding.valueOf(encoding.name());
  }

  /** Appends the pages to a file and describes them for its footer. */
  ColumnChunk writeTo(Sink sink) throws IOException {
    long start = sink.position();
    dictionary.writeTo(sink);
    long dataStart = sink.position();
    for (ByteArrayOutputStream page : data) {
      page.writeTo(sink);
    }
    ColumnMetaData meta =
        new ColumnMetaData(
            Footer.physical(column.getPrimitiveType()),
            List.copyOf(encodings),
            List.of(column.getPath()),
            size == FileSize.SMALL ? CompressionCodec.UNCOMPRESSED : CompressionCodec.SNAPPY,
            values,
            plainBytes,
            sink.position() - start,
            dataStart);
    if (dataStart > start) {
      meta.setDictionary_page_offset(start);
    }
    Footer.limits(statistics).ifPresent(meta::setStatistics);
    return new ColumnChunk(start).setMeta_data(meta);
  }

  @Override
  public long getMemSize() {
    return dictionary.size() + data.stream().mapToLong(ByteArrayOutputStream::size).sum();
  }

  @Override
  public long allocatedSize() {
    return getMemSize();
  }

  @Override
  public String memUsageString(String prefix) {
    return prefix + " " + getMemSize() + " bytes";
  }

  @Override
  @Deprecated
  public void writePage(
      BytesInput bytes,
      int valueCount,
      Statistics<?> pageStatistics,
      Encoding repetition,
      Encoding definition,
      Encoding encoding) {
    throw new UnsupportedOperationException("pages are written with their number of rows");
  }

  @Override
  public void writePageV2(
      int rowCount,
      int nullCount,
      int valueCount,
      BytesInput repetition,
      BytesInput definition,
      Encoding encoding,
      BytesInput bytes,
      Statistics<?> pageStatistics) {
    throw new UnsupportedOperationException("pages are written in their first version");
  }
}
