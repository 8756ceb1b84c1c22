// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryExplanation.QueryFile;
import io.tidemark.api.ledger.QueryExplanation.QueryWork;
import io.tidemark.ledger.query.plan.Explanation;

/** Mapping of explanations to the records of the API. */
final class Explanations {

  private Explanations() {}

  static QueryExplanation of(Explanation explained) {
    return new QueryExplanation(
        explained.engine(),
        explained.commitId(),
        explained.window().lowerExclusive(),
        explained.window().upper(),
        explained.filter(),
        explained.files().size(),
        explained.bytes(),
        explained.sql(),
        explained.steps(),
        Results.mixes(explained.versions()),
        explained.course().work().map(Explanations::work),
        explained.files().stream().map(Explanations::file).toList());
  }

  private static QueryWork work(Explanation.Work work) {
    return new QueryWork(
        work.filesRead(),
        work.rowGroups(),
        work.rowGroupsRead(),
        work.bytesRead(),
        work.memory(),
        work.spilled());
  }

  private static QueryFile file(Explanation.File file) {
    return new QueryFile(
        file.path(), file.minCommit(), file.maxCommit(), file.bytes(), file.fetched());
  }
}
