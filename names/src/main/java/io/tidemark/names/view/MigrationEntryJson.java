// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.MigrationEntry;
import java.util.Locale;
import java.util.Optional;

/** A line of a migration's report as JSON. */
public final class MigrationEntryJson {

  private MigrationEntryJson() {}

  public static ObjectNode of(MigrationEntry line) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("from", line.from())
        .put("form", line.form())
        .put("record", line.to().map(Object::toString).orElse(null))
        .put("outcome", line.outcome().name().toLowerCase(Locale.ROOT))
        .put("note", line.note());
  }

  /** Reads {@link #of}. */
  public static MigrationEntry read(JsonNode json) {
    JsonNode record = json.path("record");
    return new MigrationEntry(
        json.path("from").asText(),
        json.path("form").asText(),
        record.isTextual() ? Optional.of(Address.parse(record.textValue())) : Optional.empty(),
        MigrationEntry.Outcome.valueOf(json.path("outcome").asText().toUpperCase(Locale.ROOT)),
        json.path("note").asText());
  }
}
