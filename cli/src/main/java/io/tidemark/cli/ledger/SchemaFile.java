// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.transfer.TransferException;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reader of schema files. */
final class SchemaFile {

  private SchemaFile() {}

  /** Reads a file of declared types, and names the file in errors. */
  static JsonNode read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw TransferException.reading(file.toString(), e);
    }
    try {
      List<TypeSchema> unused = DeclaredSchema.parse(text);
      return CanonicalJson.parse(text);
    } catch (InvalidSchemaException e) {
      throw new InvalidSchemaException(file + ": " + e.getMessage());
    } catch (IOException e) {
      throw new IllegalStateException("what was parsed is JSON", e);
    }
  }
}
