// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.Row;
import io.tidemark.testkit.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.parquet.column.ColumnDescriptor;
import org.junit.jupiter.api.Test;

/** The bytes of a file depend on its rows alone. */
class EncodingTest {

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "-0",
          "7",
          "-7",
          "007",
          "1.",
          ".5",
          "1.50",
          "-0.0",
          "0.25",
          "123456789012345678",
          "1234567890123456789",
          "9223372036854775808",
          "5.0",
          "1e3",
          "-",
          "0.1234567890123456",
          "3.141592653589793238462643383279",
          "1e999",
          "NaN",
          "tru",
          "\"\"",
          "\"a\"",
          "\"\u00e9\"",
          "\"\\u00e9\"",
          "\"\\n\"",
          "\"a",
          "{}",
          "[1]",
          "\"2026-02-10T12:34:56+00:00\"",
          "\"2026-02-10T12:34:56.789012+00:00\"",
          "\"2026-02-30T12:34:56+00:00\"");

  @Test
  void groupsEncodedAtOnceAndOneByOneGiveEqualBytes() {
    List<Row> rows = RowFileTest.numbered(260_000);

    byte[] atOnce = write(rows, 3);
    byte[] oneByOne = write(rows, 0);

    assertThat(atOnce).isEqualTo(oneByOne);
  }

  private static byte[] write(List<Row> rows, int atOnce) {
    try (RowWriter writer = RowWriter.toMemory(Sample.EVERYTHING, atOnce)) {
      rows.forEach(writer::add);
      return Sample.bytes(writer.finish());
    }
  }

  /** A space in front is what makes a payload one for the parser. */
  @Test
  void aPlainPayloadGivesTheColumnsThatAParserWouldGive() throws IOException {
    Seed seed = Seed.of("aPlainPayloadGivesTheColumnsThatAParserWouldGive");
    RandomGenerator random = seed.random();
    for (int round = 0; round < 5_000; round++) {
      String payload = payload(random);

      assertThat(columns(payload)).as("%s of %s", payload, seed).isEqualTo(columns(" " + payload));
    }
  }

  private static String payload(RandomGenerator random) {
    List<String> names = List.of("active", "age", "id", "name", "price", "score", "since", "x");
    StringBuilder json = new StringBuilder("{");
    for (String name : names) {
      if (random.nextInt(8) > 0) {
        String value = VALUES.get(random.nextInt(VALUES.size()));
        json.append(json.length() > 1 ? "," : "").append('"').append(name).append("\":");
        json.append(random.nextInt(10) == 0 ? random.nextDouble() * 1e6 : value);
      }
    }
    return json.append(random.nextInt(20) == 0 ? "" : "}").toString();
  }

  private static byte[] columns(String payload) throws IOException {
    FileLayout layout = FileLayout.of(Sample.EVERYTHING);
    List<ColumnEncoder> columns = new ArrayList<>();
    for (ColumnDescriptor column : layout.descriptors().subList(5, layout.descriptors().size())) {
      columns.add(
          new ColumnEncoder(column, FileSizeClass.SMALL, FileLayout.EncodingOptions.of(column)));
    }
    byte[] bytes = ("ab" + payload + "cd").getBytes(StandardCharsets.UTF_8);
    new TypedColumnWriter(layout.typed(), columns).write(bytes, 2, bytes.length - 2);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HashingOutputStream hashingOutputStream = new HashingOutputStream(out);
    for (ColumnEncoder column : columns) {
      column.finish().writeTo(hashingOutputStream);
    }
    return out.toByteArray();
  }
}
