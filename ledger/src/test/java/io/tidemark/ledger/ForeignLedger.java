// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.parquet.DuckDb;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes as the program of the seed does: only the fields that the seed names, an index of every
 * type with each commit, the lock deleted when it is released. Entities only.
 */
final class ForeignLedger {

  private static final String RUNTIME = "unknown-runtime";

  private static final String CODEC = "SNAPPY";

  private final LedgerFixture fixture;
  private final String codec;

  ForeignLedger(LedgerFixture fixture) {
    this(fixture, CODEC);
  }

  /** Writes files that are compressed by a codec, as DuckDB calls it. */
  ForeignLedger(LedgerFixture fixture, String codec) {
    this.fixture = fixture;
    this.codec = codec;
  }

  void init() {
    head(0, null, "onto-init");
    fixture.write("meta/schema/registry.json", "{\"entity\":{},\"relation\":{}}");
    fixture.write("meta/schema/types.json", "{\"entities\":[],\"relations\":[]}");
  }

  private void head(long commitId, @Nullable String manifest, String runtimeId) {
    ObjectNode head =
        CanonicalJson.object()
            .put("commit_id", commitId)
            .put("manifest_path", manifest)
            .put("updated_at", now())
            .put("runtime_id", runtimeId);
    fixture.write("meta/head.json", CanonicalJson.write(head));
  }

  private static String now() {
    return UtcTimestamp.format(Instant.now());
  }

  /** Enters a type, as {@code validate()} does. */
  void register(TypeSchema schema) {
    String name = schema.id().name();
    StoredSchema stored = StoredSchema.of(schema);
    ObjectNode versions = CanonicalJson.object().put("type_kind", "entity").put("type_name", name);
    versions
        .putArray("versions")
        .addObject()
        .put("schema_version_id", 1)
        .put("schema_json", stored.json())
        .put("schema_hash", stored.hash())
        .put("created_at", now())
        .put("runtime_id", RUNTIME)
        .put("reason", "initial");
    fixture.write("meta/schema/versions/entity/" + name + ".json", CanonicalJson.write(versions));
    fixture.edit(
        "meta/schema/registry.json",
        json -> ((ObjectNode) json.path("entity")).set(name, LedgerFixture.parse(stored.json())));
    fixture.edit("meta/schema/types.json", json -> ((ArrayNode) json.path("entities")).add(name));
  }

  /**
   * Commits payloads of one type by their keys.
   *
   * @return the path of the data file
   */
  String commit(String type, Map<String, String> payloads) {
    long id = nextId();
    String directory = directory(id);
    List<Row> rows =
        payloads.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(row -> new Row(id, new EntityKey(row.getKey()), 1, row.getValue()))
            .toList();
    byte[] bytes = parquet(type, rows, codec);
    String path = directory + "entities/" + type + ".parquet";
    fixture.write(path, bytes);
    ObjectNode file =
        CanonicalJson.object()
            .put("kind", "entity")
            .put("type_name", type)
            .put("path", path)
            .put("row_count", rows.size())
            .put("schema_version_id", 1)
            .put("content_sha256", LedgerFixture.sha256(bytes));
    publish(directory, id, CanonicalJson.object().put("namespace", "default"), List.of(file));
    return path;
  }

  /** Drops a type with its rows. */
  void drop(String type) {
    long id = nextId();
    ObjectNode metadata =
        CanonicalJson.object()
            .put("operation", "schema_drop")
            .put("target_kind", "entity")
            .put("target_type", type)
            .put("affected_types", "[[\"entity\", \"" + type + "\"]]");
    publish(directory(id), id, metadata, List.of());
    fixture.edit(
        "meta/schema/versions/entity/" + type + ".json", json -> json.putArray("versions"));
    fixture.edit(
        "meta/schema/registry.json", json -> ((ObjectNode) json.path("entity")).remove(type));
    fixture.edit(
        "meta/schema/types.json",
        json -> {
          ArrayNode names = json.withArray("/entities");
          for (int i = names.size() - 1; i >= 0; i--) {
            if (names.path(i).asText().equals(type)) {
              names.remove(i);
            }
          }
        });
    fixture.write(
        "meta/indices/entities/" + type + ".json",
        "{\"type_name\":\"" + type + "\",\"max_indexed_commit\":" + id + ",\"entries\":[]}");
  }

  private long nextId() {
    return fixture.json("meta/head.json").path("commit_id").asLong() + 1;
  }

  private static String directory(long id) {
    return "commits/" + id + "-" + UUID.randomUUID().toString().substring(0, 8) + "/";
  }

  private void publish(String directory, long id, ObjectNode metadata, List<ObjectNode> files) {
    fixture.write("meta/locks/ontology_write.json", "{\"owner_id\":\"w\"}");
    JsonNode parent = fixture.json("meta/head.json").path("manifest_path");
    ObjectNode manifest =
        CanonicalJson.object()
            .put("commit_id", id)
            .put("parent_commit_id", id == 1 ? null : (Long) (id - 1))
            .put("parent_manifest_path", parent.textValue())
            .put("created_at", now())
            .put("runtime_id", RUNTIME);
    manifest.set("metadata", metadata);
    manifest.putArray("files").addAll(files);
    fixture.write(directory + "manifest.json", CanonicalJson.write(manifest));
    head(id, directory + "manifest.json", RUNTIME);
    fixture
        .json("meta/schema/types.json")
        .path("entities")
        .forEach(type -> index(type.asText(), id, files));
    fixture.delete("meta/locks/ontology_write.json");
  }

  private void index(String type, long id, List<ObjectNode> files) {
    String path = "meta/indices/entities/" + type + ".json";
    ObjectNode index =
        fixture.paths(path).isEmpty()
            ? CanonicalJson.object().put("type_name", type)
            : fixture.json(path);
    index.put("max_indexed_commit", id);
    ArrayNode entries = index.withArray("/entries");
    for (ObjectNode file : files) {
      if (file.path("type_name").asText().equals(type)) {
        entries
            .addObject()
            .put("min_commit_id", id)
            .put("max_commit_id", id)
            .put("path", file.path("path").asText());
      }
    }
    fixture.write(path, CanonicalJson.write(index));
  }

  /** A file of entities with the seed's columns, written by DuckDB. */
  static byte[] parquet(String type, List<Row> rows) {
    return parquet(type, rows, CODEC);
  }

  private static byte[] parquet(String type, List<Row> rows, String codec) {
    String selects =
        rows.stream().map(row -> select(type, row)).collect(Collectors.joining(" UNION ALL "));
    try (DuckDb duckDb = new DuckDb()) {
      Path file = Files.createTempFile("tidemark-", ".parquet");
      try {
        duckDb.run(
            "COPY (" + selects + ") TO '" + file + "' (FORMAT PARQUET, CODEC " + codec + ")");
        return Files.readAllBytes(file);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String select(String type, Row row) {
    StringBuilder sql = new StringBuilder("SELECT " + row.commitId() + "::BIGINT AS commit_id, ");
    sql.append(quoted(type)).append(" AS entity_type, ");
    sql.append(quoted(row.identity().toString())).append(" AS entity_key, ");
    sql.append(row.schemaVersionId()).append("::BIGINT AS schema_version_id, ");
    sql.append(quoted(row.fieldsJson())).append(" AS fields_json");
    LedgerFixture.parse(row.fieldsJson().replaceAll(":(NaN|-?Infinity)", ":\"$1\""))
        .properties()
        .forEach(
            field ->
                sql.append(", ")
                    .append(
                        field.getValue().isTextual()
                            ? column(field.getValue().asText())
                            : field.getValue().asText())
                    .append(" AS \"" + field.getKey() + "\""));
    return sql.toString();
  }

  private static String column(String text) {
    return quoted(text) + (text.matches("NaN|-?Infinity") ? "::DOUBLE" : "");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
