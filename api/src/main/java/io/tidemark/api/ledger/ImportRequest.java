// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.FileErrors;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Rows to be imported, as an export writes them.
 *
 * @param rows the rows
 * @param schema declared types, one or a list; they must agree with those of the ledger
 * @param apply whether to import; otherwise the report says what would be done
 * @param onConflict treatment of rows that exist: {@code abort}, {@code skip} or {@code upsert};
 *     empty for {@code abort}, or for {@code upsert} with {@code must_exist}
 * @param precondition {@code must_exist}, {@code must_not_exist} or {@code if_commit_id:N}
 * @param batch maximum number of rows of a commit; empty for all of them in one
 * @param message kept in the metadata of each commit as {@code message}
 * @param metadata kept with each commit
 */
@RecordBuilder
public record ImportRequest(
    RowInput rows,
    Optional<JsonNode> schema,
    boolean apply,
    Optional<String> onConflict,
    Optional<String> precondition,
    OptionalLong batch,
    Optional<String> message,
    Map<String, String> metadata)
    implements ImportRequestBuilder.With {

  private static final String ROWS = ".jsonl";
  private static final String SCHEMAS = "schema.json";

  public ImportRequest {
    metadata = Map.copyOf(metadata);
  }

  /**
   * Returns a request for the report of an import of a file, or of the directory of an export with
   * its schemas.
   *
   * @throws TidemarkException if it can't be read
   */
  public static ImportRequest of(Path path) {
    return Files.isDirectory(path) ? ofExport(path) : of(RowInput.of(path));
  }

  private static ImportRequest ofExport(Path directory) {
    Path schemas = directory.resolve(SCHEMAS);
    try (Stream<Path> found = Files.list(directory)) {
      List<Path> files = found.filter(file -> file.toString().endsWith(ROWS)).sorted().toList();
      if (files.isEmpty()) {
        throw new TidemarkException(
            ErrorCode.TRANSFER,
            "there is no *" + ROWS + " in " + directory + "; name a directory that has some");
      }
      ImportRequest rows = of(RowInput.of(files));
      return Files.exists(schemas) ? rows.withSchema(Optional.of(parsed(schemas))) : rows;
    } catch (IOException e) {
      throw new TidemarkException(
          ErrorCode.TRANSFER, "can't read " + directory + ": " + FileErrors.reason(e), e);
    }
  }

  private static JsonNode parsed(Path schemas) throws IOException {
    String text = Files.readString(schemas);
    try {
      return CanonicalJson.parse(text);
    } catch (IOException e) {
      throw new TidemarkException(
          ErrorCode.INVALID_SCHEMA, schemas + " isn't JSON: " + e.getMessage(), e);
    }
  }

  /** Returns a request for the report of an import that aborts on a conflict. */
  public static ImportRequest of(RowInput rows) {
    return new ImportRequest(
        rows,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Map.of());
  }
}
