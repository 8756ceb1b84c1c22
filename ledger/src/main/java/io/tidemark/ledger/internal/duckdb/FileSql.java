// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.parquet.FileColumns;
import io.tidemark.ledger.internal.plan.TypeView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * SQL of the rows of local files.
 *
 * <p>Files with exactly the present columns of the type are read by these. For other files, which
 * have another writer or are of another version of the type, the columns are computed from the
 * payloads. Text in them may not be declared as text, so any column that could be text is read as
 * text.
 */
public final class FileSql {

  private FileSql() {}

  /** Returns the SQL of every row of the files, at least one, with the columns of the type. */
  public static String rows(TypeView type, DataFileCache files, List<Path> paths) {
    List<String> plain = new ArrayList<>();
    List<String> foreign = new ArrayList<>();
    for (Path path : paths) {
      boolean others = files.columns(type, path) == FileColumns.OTHERS;
      (others ? foreign : plain).add(path.toString());
    }
    List<String> parts = new ArrayList<>();
    if (!plain.isEmpty()) {
      parts.add(
          "SELECT "
              + RowColumns.all(type)
              + " FROM read_parquet(["
              + SqlQuoting.list(plain)
              + "])");
    }
    if (!foreign.isEmpty()) {
      parts.add(
          "SELECT "
              + RowColumns.fromPayload(type)
              + " FROM read_parquet(["
              + SqlQuoting.list(foreign)
              + "], union_by_name = true, binary_as_string = true)");
    }
    return parts.stream().collect(Collectors.joining(" UNION ALL ", "(", ")"));
  }
}
