// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;

/**
 * Description of how a query is answered.
 *
 * @param engine engine that answers it
 * @param headCommitId commit it is pinned to
 * @param since commit after which files are read
 * @param asOf commit up to which files are read
 * @param filter condition as it was understood
 * @param fileCount number of files with rows of the window
 * @param bytes size of these files
 * @param sql statement; empty if there is none
 * @param steps steps of the engine, in its own words
 * @param schemaVersions types with rows of other versions of their schema than they are shown in
 * @param work work of the engine, if it counted
 * @param files files with rows of the window, in the order of commits
 */
public record QueryExplanation(
    String engine,
    long headCommitId,
    long since,
    long asOf,
    String filter,
    long fileCount,
    long bytes,
    String sql,
    String steps,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<QueryWork> work,
    List<QueryFile> files) {

  public QueryExplanation {
    schemaVersions = List.copyOf(schemaVersions);
    files = List.copyOf(files);
  }

  /**
   * Data file.
   *
   * @param fetched bytes that came from the store for this query
   */
  public record QueryFile(
      String path, long minCommitId, long maxCommitId, long bytes, long fetched) {}

  /**
   * Work of the engine.
   *
   * @param filesRead files read; one counts each time
   * @param rowGroups groups of rows in these files
   * @param rowGroupsRead groups that were read
   * @param bytesRead bytes read of files
   * @param memory peak of memory in bytes
   * @param spilled peak of disk space in bytes
   */
  public record QueryWork(
      long filesRead,
      long rowGroups,
      long rowGroupsRead,
      long bytesRead,
      long memory,
      long spilled) {}
}
