// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.objects.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;

/**
 * A new table of Iceberg's with a data file and an append for each commit.
 *
 * <p>Wherever there is a choice it has the faster one: fast appends, which merge no manifests; a
 * catalog in memory, so that its part of a commit costs neither a round trip nor a sync; files that
 * are created and read with one request each; and no defaults of Hadoop's to parse.
 */
public final class IcebergAppender implements Appender {

  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.StringType.get()),
          Types.NestedField.required(2, "name", Types.StringType.get()),
          Types.NestedField.required(3, "visits", Types.LongType.get()),
          Types.NestedField.required(4, "balance", Types.DoubleType.get()),
          Types.NestedField.required(5, "active", Types.BooleanType.get()),
          Types.NestedField.required(6, "city", Types.StringType.get()));

  private final JdbcCatalog catalog;
  private final Table table;

  public IcebergAppender(ObjectStore store) {
    ObjectFileIo files = new ObjectFileIo(store);
    catalog = new JdbcCatalog(properties -> files, null, true);
    catalog.initialize(
        "bench",
        Map.of(
            CatalogProperties.URI,
            "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
            CatalogProperties.WAREHOUSE_LOCATION,
            "iceberg",
            "jdbc.schema-version",
            "V1"));
    Namespace namespace = Namespace.of("bench");
    catalog.createNamespace(namespace);
    table =
        catalog
            .buildTable(TableIdentifier.of(namespace, "customer"), SCHEMA)
            .withProperty(TableProperties.FORMAT_VERSION, "2")
            .create();
  }

  /** What is written to. */
  public Table table() {
    return table;
  }

  @Override
  public void commit(List<Customer> rows) {
    OutputFile file =
        table.io().newOutputFile(table.location() + "/data/" + UUID.randomUUID() + ".parquet");
    try (DataWriter<Record> writer =
        Parquet.writeData(file)
            .forTable(table)
            .overwrite()
            .createWriterFunc(GenericParquetWriter::create)
            .build()) {
      rows.forEach(row -> writer.write(record(row)));
      writer.close();
      table.newFastAppend().appendFile(writer.toDataFile()).commit();
    } catch (IOException e) {
      throw new UncheckedIOException("Iceberg's data file can't be written", e);
    }
  }

  private static Record record(Customer row) {
    GenericRecord record = GenericRecord.create(SCHEMA);
    record.set(0, row.id());
    record.set(1, row.name());
    record.set(2, row.visits());
    record.set(3, row.balance());
    record.set(4, row.active());
    record.set(5, row.city());
    return record;
  }

  @Override
  public void settle() {
    // Nothing of Iceberg's runs in the background.
  }

  @Override
  public void close() {
    catalog.close();
  }
}
