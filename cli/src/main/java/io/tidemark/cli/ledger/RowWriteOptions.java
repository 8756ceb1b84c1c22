// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of rows to be written: their types, and the metadata of the commit. */
final class RowWriteOptions {

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "Declares types; what the ledger doesn't have is entered.")
  private @Nullable Path schema;

  @Option(
      names = {"-m", "--message"},
      paramLabel = "TEXT",
      description = "Kept in the commit's metadata, as \"message\".")
  private @Nullable String message;

  @Option(names = "--meta", paramLabel = "K=V", description = "Kept in the commit's metadata.")
  private Map<String, String> meta = Map.of();

  /** Returns the declared types; empty when no file is named. */
  Optional<JsonNode> schema() {
    return schema == null ? Optional.empty() : Optional.of(SchemaFile.read(schema));
  }

  /** Returns the metadata of the commit without the message. */
  Map<String, String> metadata() {
    return meta;
  }

  Optional<String> message() {
    return Optional.ofNullable(message);
  }
}
