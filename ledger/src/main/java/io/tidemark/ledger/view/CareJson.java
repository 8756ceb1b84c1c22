// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.IndexCare;
import io.tidemark.ledger.Leftovers.Leftover;
import io.tidemark.ledger.catalog.Catalog.Finding;
import io.tidemark.ledger.compact.Merge;
import io.tidemark.ledger.compact.Outcome;
import io.tidemark.ledger.compact.Superseded.Old;
import io.tidemark.objects.UtcTimestamp;
import java.time.Duration;
import java.util.List;

/** What was found, or done, by who looks after a ledger. */
public final class CareJson {

  private CareJson() {}

  /** Whether indices and the name have followed. */
  public static ObjectNode verified(IndexCare.Report report) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("head_commit_id", report.head());
    json.set("lagged_types", TypeJson.names(report.lagged()));
    json.set("missing_latest", TypeJson.names(report.missingLatest()));
    json.set("holes", TypeJson.names(report.holes()));
    json.set("misnamed_commit_id", InfoJson.orNull(report.misnamed()));
    json.set("catalog", texts(report.catalog()));
    return json.put("ok", report.ok());
  }

  /** A repair that would be done. */
  public static ObjectNode plannedRepair(IndexCare.Repair repair) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("head_commit_id", repair.head());
    json.set("planned_types", TypeJson.names(repair.types()));
    json.set("misnamed_commit_id", InfoJson.orNull(repair.misnamed()));
    json.set("catalog", texts(repair.catalog()));
    return json.put("applied", false);
  }

  /** A repair that is done. */
  public static ObjectNode repaired(IndexCare.Repair repair) {
    return plannedRepair(repair).put("applied", true).put("repair_head", repair.head());
  }

  private static ArrayNode texts(List<Finding> findings) {
    ArrayNode texts = JsonNodeFactory.instance.arrayNode();
    findings.forEach(finding -> texts.add(finding.text()));
    return texts;
  }

  /** A compaction that would be done. */
  public static ObjectNode plannedCompaction(List<Merge> planned) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    fill(json.putArray("planned"), planned);
    return json.put("applied", false);
  }

  /** A compaction that is done, as far as nobody was faster. */
  public static ObjectNode compacted(List<Merge> planned, List<Outcome> outcomes) {
    ObjectNode json = plannedCompaction(planned).put("applied", true);
    List<Merge> overtaken = overtaken(outcomes);
    if (!overtaken.isEmpty()) {
      fill(json.putArray("overtaken"), overtaken);
    }
    return json;
  }

  /** What others compacted or dropped meanwhile. */
  public static List<Merge> overtaken(List<Outcome> outcomes) {
    return outcomes.stream()
        .filter(outcome -> outcome instanceof Outcome.Overtaken)
        .map(Outcome::merge)
        .toList();
  }

  private static void fill(ArrayNode list, List<Merge> merges) {
    for (Merge merge : merges) {
      list.addObject()
          .put("kind", merge.type().kind().singular())
          .put("type_name", merge.type().name())
          .put("entry_count", merge.entryCount())
          .put("min_commit_id", merge.minCommitId())
          .put("max_commit_id", merge.maxCommitId());
    }
  }

  /**
   * What is left over.
   *
   * @param minAge for how long it has been left alone
   */
  public static ObjectNode leftovers(Duration minAge, List<Leftover> found, List<Old> snapshots) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("min_age_seconds", minAge.toSeconds())
            .put("applied", false);
    json.put(
        "bytes",
        found.stream().mapToLong(Leftover::bytes).sum()
            + snapshots.stream().mapToLong(Old::bytes).sum());
    ArrayNode list = json.putArray("leftovers");
    for (Leftover each : found) {
      list.addObject()
          .put("directory", each.directory())
          .put("commit_id", each.commitId())
          .put("objects", each.objects())
          .put("bytes", each.bytes())
          .put("newest", UtcTimestamp.format(each.newest()));
    }
    ArrayNode old = json.putArray("snapshots");
    for (Old each : snapshots) {
      old.addObject()
          .put("path", each.path())
          .put("bytes", each.bytes())
          .put("since", UtcTimestamp.format(each.since()));
    }
    return json;
  }
}
