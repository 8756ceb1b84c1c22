// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.transfer.ImportReport;

/** What an import came to. */
public final class ImportJson {

  private ImportJson() {}

  public static ObjectNode report(ImportReport report) {
    int made = report.commits().size();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("status", report.status().word())
            .put("commit_id", made == 0 ? null : report.commits().get(made - 1))
            .put("total_records", report.totalRecords())
            .put("inserts", report.inserts())
            .put("updates", report.updates())
            .put("unchanged", report.unchanged())
            .put("skipped", report.skipped())
            .put("conflicts", report.conflicts());
    ArrayNode commits = json.putArray("commits");
    report.commits().forEach(commits::add);
    ArrayNode reasons = json.putArray("reasons");
    report.reasons().forEach(reasons::add);
    return json;
  }
}
