// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.query.Page;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.query.sql.SqlAnswer;
import java.util.List;
import java.util.Optional;

/** What queries are answered with. */
public final class AnswerJson {

  private AnswerJson() {}

  public static ObjectNode count(long rows) {
    return JsonNodeFactory.instance.objectNode().put("count", rows);
  }

  /** Rows of other versions of their schema than they are shown in, for each type. */
  public static ArrayNode versions(List<VersionMix> mixes) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (VersionMix mix : mixes) {
      ObjectNode shown =
          list.addObject().put("type", mix.type().toString()).put("shown_version_id", mix.shown());
      ObjectNode rows = shown.putObject("rows_by_version");
      mix.rows().forEach((version, count) -> rows.put(Long.toString(version), count));
      if (!mix.converted().isEmpty()) {
        mix.converted().forEach(shown.putArray("converted_fields")::add);
      }
    }
    return list;
  }

  /**
   * Rows, and where to go on.
   *
   * @param hint why there may be none, if that can be told
   */
  public static ObjectNode page(Page<ObjectNode> page, Optional<String> hint) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("commit_id", page.commitId());
    ArrayNode rows = json.putArray("rows");
    page.hits().forEach(hit -> rows.add(RowJson.hit(hit)));
    json.put("next", page.next().map(Cursor::encoded).orElse(null));
    hint.ifPresent(text -> json.put("hint", text));
    return json;
  }

  public static ObjectNode explanation(Explanation explained) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("engine", explained.engine())
            .put("head_commit_id", explained.commitId())
            .put("since", explained.window().lowerExclusive())
            .put("as_of", explained.window().upper())
            .put("filter", explained.filter())
            .put("file_count", explained.files().size())
            .put("bytes", explained.bytes())
            .put("sql", explained.sql());
    if (!explained.versions().isEmpty()) {
      json.set("schema_versions", versions(explained.versions()));
    }
    explained.course().work().ifPresent(work -> json.set("work", work(work)));
    ArrayNode files = json.putArray("files");
    for (Explanation.File file : explained.files()) {
      files
          .addObject()
          .put("path", file.path())
          .put("min_commit_id", file.minCommit())
          .put("max_commit_id", file.maxCommit())
          .put("bytes", file.bytes())
          .put("fetched", file.fetched());
    }
    return json;
  }

  private static ObjectNode work(Explanation.Work work) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("files_read", work.filesRead())
        .put("row_groups", work.rowGroups())
        .put("row_groups_read", work.rowGroupsRead())
        .put("bytes_read", work.bytesRead())
        .put("memory", work.memory())
        .put("spilled", work.spilled());
  }

  /** The columns of a statement's answer with their types, in their order. */
  public static ObjectNode columns(SqlAnswer answer) {
    ObjectNode columns = JsonNodeFactory.instance.objectNode();
    answer.columns().forEach(column -> columns.put(column.name(), column.type()));
    return columns;
  }

  /** A row of a statement's answer. */
  public static ObjectNode row(SqlAnswer answer, List<JsonNode> values) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < answer.columns().size(); i++) {
      object.set(answer.columns().get(i).name(), values.get(i));
    }
    return object;
  }
}
