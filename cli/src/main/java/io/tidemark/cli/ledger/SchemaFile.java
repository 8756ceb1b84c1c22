// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.transfer.TransferException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of schemas. */
final class SchemaFile {

  private SchemaFile() {}

  /**
   * The types it declares.
   *
   * @param file null for none
   */
  static List<TypeSchema> read(@Nullable Path file) {
    if (file == null) {
      return List.of();
    }
    try {
      return DeclaredSchema.parse(Files.readString(file));
    } catch (IOException e) {
      throw TransferException.reading(file.toString(), e);
    } catch (InvalidSchemaException e) {
      throw new InvalidSchemaException(file + ": " + e.getMessage());
    }
  }
}
