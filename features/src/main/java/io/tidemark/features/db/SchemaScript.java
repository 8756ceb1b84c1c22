// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.objects.internal.hash.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/**
 * One of the SQL files that make a storage.
 *
 * @param name its name, without {@code .sql}
 * @param template its text, in which names such as <code>${schema}</code> are still to be filled in
 */
record SchemaScript(String name, String template) {

  static SchemaScript read(String name) {
    String resource = "/io/tidemark/features/schema/" + name + ".sql";
    try (InputStream in = SchemaScript.class.getResourceAsStream(resource)) {
      return new SchemaScript(
          name, new String(Objects.requireNonNull(in, resource).readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + resource, e);
    }
  }

  /** Returns the SHA-256 of the template, which identifies the file for every storage. */
  String checksum() {
    return Sha256.hex(template);
  }

  String render(Map<String, String> names) {
    String sql = template;
    for (Map.Entry<String, String> name : names.entrySet()) {
      sql = sql.replace(name.getKey(), name.getValue());
    }
    return sql;
  }
}
