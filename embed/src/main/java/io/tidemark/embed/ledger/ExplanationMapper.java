// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryExplanation.QueryFile;
import io.tidemark.api.ledger.QueryExplanation.QueryWork;
import io.tidemark.ledger.query.plan.Explanation;

/** Mapping of explanations to the records of the API. */
final class ExplanationMapper {

  private ExplanationMapper() {}

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
        LedgerResultMapper.mixes(explained.versions()),
        explained.course().work().map(ExplanationMapper::work),
        explained.files().stream().map(ExplanationMapper::file).toList());
  }

  private static QueryWork work(Explanation.ExecutionStatistics executionStatistics) {
    return new QueryWork(
        executionStatistics.filesRead(),
        executionStatistics.rowGroups(),
        executionStatistics.rowGroupsRead(),
        executionStatistics.bytesRead(),
        executionStatistics.memory(),
        executionStatistics.spilled());
  }

  private static QueryFile file(Explanation.File file) {
    return new QueryFile(
        file.path(), file.minCommit(), file.maxCommit(), file.bytes(), file.fetched());
  }
}
