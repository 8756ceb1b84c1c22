// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.bulk.LoadReport;

/** What a load has done. */
public final class LoadJson {

  private LoadJson() {}

  public static ObjectNode of(LoadReport report) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("collection", report.collection())
            .put("txn", report.txn().value())
            .put("loaded", report.loaded())
            .put("replaced", report.replaced())
            .put("skipped", report.skipped())
            .put("seconds", report.took().toMillis() / 1e3);
    ArrayNode problems = json.putArray("problems");
    report.problems().forEach(problems::add);
    return json;
  }
}
