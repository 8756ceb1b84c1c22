// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.io.IOException;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of the values of one column in one group of rows, page by page.
 *
 * <p>Values are kept in their plain form, and beside it, as long as there is a dictionary, by their
 * numbers in it. At the end of a page either of the two is what it consists of. The dictionary is
 * given up for good when among the first values most are different, when it didn't pay on the first
 * page, or when it is full: all of that depends on nothing but the values.
 */
final class ColumnEncoder {

  /** Room before the values of a page for what says which of them are null, if that is short. */
  private static final int LEAD = 16;

  private static final int PAGE_VALUES = 20_000;
  private static final int PAGE_BYTES = 1 << 20;

  /** After so many values, a dictionary with more than half as many is given up. */
  private static final int PROBE = 2_048;

  private final ColumnPages pages;
  private final boolean optional;
  private final boolean limited;
  private final Statistics<?> statistics;
  private final TextStatistics textStatistics = new TextStatistics();
  private final NumberStatistics numberStatistics = new NumberStatistics();
  private final PlainBytes body;
  private final @Nullable DefinitionLevelEncoder definitionLevelEncoder;
  private @Nullable ValueDictionary dictionary;
  private int[] numbers = {};
  private int numbered;
  private int bits;
  private int values;

  /**
   * Starts a column.
   *
   * @param encodingOptions of a dictionary and of limits, which some columns do without
   */
  ColumnEncoder(
      ColumnDescriptor column, FileSizeClass size, FileLayout.EncodingOptions encodingOptions) {
    this.pages = new ColumnPages(column, size);
    this.optional = column.getMaxDefinitionLevel() > 0;
    this.limited = encodingOptions.limits();
    this.statistics = Statistics.createStats(column.getPrimitiveType());
    this.body = new PlainBytes(size == FileSizeClass.SMALL ? 256 : 1 << 16);
    body.clear(LEAD);
    this.definitionLevelEncoder = optional ? new DefinitionLevelEncoder() : null;
    boolean flags = column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.BOOLEAN;
    if (encodingOptions.dictionary() && size == FileSizeClass.LARGE && !flags) {
      this.dictionary = new ValueDictionary();
      this.numbers = new int[256];
    }
  }

  void none() {
    statistics.incrementNumNulls();
    end(0);
  }

  void whole(long value) {
    numberStatistics.update(value);
    eight(value);
  }

  void real(double value) {
    numberStatistics.update(value);
    eight(Double.doubleToLongBits(value));
  }

  private void eight(long value) {
    body.whole(value);
    ValueDictionary known = dictionary;
    if (known != null) {
      number(known, known.numberOf(value));
    }
    end(1);
  }

  void flag(boolean value) {
    statistics.updateStats(value);
    body.bit(bits++, value);
    end(1);
  }

  /** Adds bytes of the length that all values of the column have. */
  void fixed(byte[] value) {
    statistics.updateStats(Binary.fromConstantByteArray(value));
    body.write(value, 0, value.length);
    ValueDictionary known = dictionary;
    if (known != null) {
      number(known, known.numberOfFixed(value));
    }
    end(1);
  }

  /**
   * Adds a text in UTF-8.
   *
   * @param bytes not to be changed any more
   */
  void text(byte[] bytes, int from, int to) {
    body.text(bytes, from, to);
    boolean isNew = true;
    ValueDictionary known = dictionary;
    if (known != null) {
      int size = known.size();
      int number = known.numberOfText(bytes, from, to);
      isNew = known.size() > size; // otherwise its limits know it already
      number(known, number);
    }
    if (limited && isNew) {
      textStatistics.update(bytes, from, to);
    }
    end(1);
  }

  /** Notes which value of the dictionary comes next. */
  private void number(ValueDictionary known, int number) {
    if (numbered == numbers.length) {
      numbers = Arrays.copyOf(numbers, numbered * 2);
    }
    numbers[numbered++] = number;
    boolean probed = numbered == PROBE && pages.isEmpty() && known.size() > PROBE / 2;
    if (probed || known.isFull()) {
      giveUpDictionary(known);
    }
  }

  /** Gives up the dictionary; pages that are complete keep what they refer to. */
  private void giveUpDictionary(ValueDictionary known) {
    pages.dictionary(known);
    dictionary = null;
    numbers = new int[0];
    numbered = 0;
  }

  private void end(int level) {
    if (definitionLevelEncoder != null) {
      definitionLevelEncoder.add(level);
    }
    values++;
    if (values == PAGE_VALUES || body.length() - LEAD >= PAGE_BYTES) {
      endPage();
    }
  }

  private void endPage() {
    try {
      PlainBytes page = pages.next();
      if (definitionLevelEncoder != null) {
        definitionLevelEncoder.endPage(page);
      }
      Encoding levelsIn = optional ? Encoding.RLE : Encoding.BIT_PACKED;
      int lead = page.length();
      if (writeNumbers(page)) {
        pages.end(values, levelsIn, Encoding.PLAIN_DICTIONARY, page, 0);
      } else if (lead <= LEAD) {
        System.arraycopy(page.array(), 0, body.array(), LEAD - lead, lead);
        pages.end(values, levelsIn, Encoding.PLAIN, body, LEAD - lead);
      } else {
        page.write(body.array(), LEAD, body.length() - LEAD);
        pages.end(values, levelsIn, Encoding.PLAIN, page, 0);
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory can be written to", e);
    }
    body.clear(LEAD);
    numbered = 0;
    bits = 0;
    values = 0;
  }

  /** Writes the page as numbers if there are any, and on the first page only if that pays. */
  private boolean writeNumbers(PlainBytes page) throws IOException {
    ValueDictionary known = dictionary;
    if (known == null) {
      return false;
    }
    int width = BytesUtils.getWidthFromMaxInt(Math.max(0, known.size() - 1));
    RunLengthBitPackingHybridEncoder encoder = DefinitionLevelEncoder.encoder(width);
    for (int i = 0; i < numbered; i++) {
      encoder.writeInt(numbers[i]);
    }
    BytesInput encoded = encoder.toBytes();
    boolean pays = 1 + encoded.size() + known.bytes(known.size()) < body.length() - LEAD;
    if (pages.isEmpty() && !pays) {
      giveUpDictionary(known);
      return false;
    }
    page.write(width);
    encoded.writeAllTo(page);
    pages.refersTo(known.size());
    return true;
  }

  /** Returns the column when all values have been written. */
  ColumnPages finish() {
    if (values > 0) {
      endPage();
    }
    if (dictionary != null) {
      giveUpDictionary(dictionary);
    }
    if (definitionLevelEncoder != null) {
      definitionLevelEncoder.close();
    }
    textStatistics.writeTo(statistics);
    numberStatistics.writeTo(statistics);
    pages.limits(FooterWriter.limits(statistics));
    return pages;
  }
}
