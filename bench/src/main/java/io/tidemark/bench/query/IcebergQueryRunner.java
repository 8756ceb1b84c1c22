// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.IcebergGenerics.ScanBuilder;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;

/**
 * A table of Iceberg's with a version in each row, read by its Java library. It skips files and row
 * groups by limits of columns; which version is the last of a customer is found here, by the number
 * of visits, which grows with every version. Rows aren't sorted, and come as records.
 */
record IcebergQueryRunner(Table table, QueryDataset data) implements QueryRunner {

  private static final int VISITS = 2;
  private static final int ACTIVE = 4;
  private static final int CITY = 5;

  @Override
  public long answer(BenchQuery benchQuery, long customer) throws IOException {
    ScanBuilder all = IcebergGenerics.read(table);
    ScanBuilder one =
        IcebergGenerics.read(table).where(Expressions.equal("id", QueryDataset.key(customer)));
    return switch (benchQuery) {
      case LATEST -> visits(last(all).values());
      case AS_OF -> visits(last(all.useSnapshot(snapshot(data.half()))).values());
      case POINT -> visits(last(one).values());
      case FILTER -> filtered();
      case AGGREGATE -> faro(last(all).values());
      case HISTORY -> history(one);
    };
  }

  /** The snapshot after so many commits. */
  private long snapshot(long commits) {
    long behind = data.commits() - commits;
    Snapshot snapshot = table.currentSnapshot();
    for (long i = 0; i < behind; i++) {
      snapshot = table.snapshot(snapshot.parentId());
    }
    return snapshot.snapshotId();
  }

  private static void each(ScanBuilder scan, Consumer<Record> consumer) throws IOException {
    try (CloseableIterable<Record> rows = scan.build()) {
      rows.forEach(consumer);
    }
  }

  private static Map<String, Record> last(ScanBuilder scan) throws IOException {
    Map<String, Record> last = new HashMap<>();
    each(
        scan,
        row ->
            last.merge(
                (String) row.get(0),
                row,
                (one, other) -> visits(one) > visits(other) ? one : other));
    return last;
  }

  private static long visits(Record row) {
    return (Long) row.get(VISITS);
  }

  private static long visits(Iterable<Record> rows) {
    long visits = 0;
    for (Record row : rows) {
      visits += visits(row);
    }
    return visits;
  }

  /** These two fields never change, so versions that aren't the last needn't be looked at. */
  private long filtered() throws IOException {
    Map<String, Record> found =
        last(
            IcebergGenerics.read(table)
                .where(Expressions.equal("active", true))
                .where(Expressions.equal("city", "Porto")));
    return found.values().stream().filter(row -> (Boolean) row.get(ACTIVE)).count();
  }

  private static long faro(Iterable<Record> rows) {
    Map<String, double[]> groups = new HashMap<>();
    for (Record row : rows) {
      double[] group = groups.computeIfAbsent((String) row.get(CITY), city -> new double[2]);
      group[0]++;
      group[1] += (Double) row.get(3);
    }
    return (long) groups.getOrDefault("Faro", new double[2])[0];
  }

  private static long history(ScanBuilder one) throws IOException {
    long[] visits = {0};
    each(one, row -> visits[0] += visits(row));
    return visits[0];
  }
}
