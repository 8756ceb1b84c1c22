// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Xyz;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.WriteResult;
import io.tidemark.features.write.Written;
import java.util.Locale;
import java.util.Optional;

/** What became of each row of a batch, which was done as a whole or not at all. */
public final class RowsJson {

  private RowsJson() {}

  private record Row(String word, Optional<Feature> state, String message) {}

  /**
   * {@code {"committed": true, "txn": …, "rows": […]}}, of what wasn't committed without a txn. A
   * row has its {@code result} and {@code id}, of a state that came of it its {@code uuid} and
   * {@code version}, and of what couldn't be done the {@code message} and the {@code actual} state.
   */
  public static ObjectNode of(Written written) {
    WriteResult result = written.result();
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("committed", result.done());
    if (result.done()) {
      json.put("txn", written.txn().value());
    }
    ArrayNode rows = json.putArray("rows");
    result.rows().forEach(each -> rows.add(of(each)));
    return json;
  }

  private static ObjectNode of(RowResult result) {
    Row row = row(result);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("result", row.word()).put("id", result.id());
    Optional<Xyz> xyz = row.state().flatMap(Feature::xyz);
    xyz.flatMap(Xyz::uuid).ifPresent(uuid -> json.put("uuid", uuid));
    xyz.ifPresent(known -> json.put("version", known.version()));
    if (!row.message().isEmpty()) {
      json.put("message", row.message());
    }
    if (!result.done()) {
      row.state().ifPresent(actual -> json.set("actual", FeatureJson.of(actual)));
    }
    return json;
  }

  private static Row row(RowResult result) {
    String word = result.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    if (result instanceof RowResult.Created created) {
      return new Row(word, Optional.of(created.state()), "");
    }
    if (result instanceof RowResult.Updated updated) {
      return new Row(word, Optional.of(updated.state()), "");
    }
    if (result instanceof RowResult.Deleted deleted) {
      return new Row(word, deleted.state(), "");
    }
    if (result instanceof RowResult.Purged purged) {
      return new Row(word, purged.state(), "");
    }
    if (result instanceof RowResult.Conflict conflict) {
      return new Row(word, conflict.actual(), conflict.message());
    }
    if (result instanceof RowResult.Missing missing) {
      return new Row(word, Optional.empty(), missing.message());
    }
    if (result instanceof RowResult.Invalid invalid) {
      return new Row(word, Optional.empty(), invalid.message());
    }
    return new Row(word, Optional.empty(), "");
  }
}
