// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.verify.Damage;
import io.tidemark.ledger.verify.VerifyCursor;
import io.tidemark.ledger.verify.VerifyDepth;
import io.tidemark.ledger.verify.VerifyProgress;
import io.tidemark.ledger.verify.VerifyReport;

/** Results of a verification as JSON. */
public final class VerifyJson {

  private VerifyJson() {}

  /** Returns what was checked so far. */
  public static ObjectNode progress(VerifyProgress progress) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("commits", progress.commits())
        .put("of_commits", progress.ofCommits())
        .put("files", progress.files())
        .put("snapshots", progress.snapshots())
        .put("bytes", progress.bytes())
        .put("damaged", progress.damaged())
        .put("cursor", progress.cursor().map(VerifyCursor::text).orElse(null));
  }

  /** Returns a damaged object. */
  public static ObjectNode damage(Damage damage) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("damage", damage.kind().code())
        .put("branch", damage.branch().text())
        .put("commit_id", damage.commitId())
        .put("key", damage.key())
        .put("expected", damage.expected())
        .put("found", damage.found());
  }

  /** Returns a report, whose list has the first damaged objects. */
  public static ObjectNode report(VerifyDepth depth, VerifyReport report) {
    ObjectNode json = progress(report.progress());
    ArrayNode list = json.putArray("damaged_objects");
    report.first().forEach(damage -> list.add(damage(damage)));
    return json.put("deep", depth == VerifyDepth.CONTENT)
        .put("complete", report.complete())
        .put("ok", report.ok());
  }
}
