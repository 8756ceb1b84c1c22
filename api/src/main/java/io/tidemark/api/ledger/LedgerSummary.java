// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/**
 * Place and state of a ledger.
 *
 * @param ledger name with the branch
 * @param headCommitId newest commit, if there is one
 * @param storageUri location of the objects
 * @param engineVersion version of the layout
 * @param initialized always true
 * @param lastIndexWarning problem of the indices; reading is right either way, only slower
 * @param misnamedCommitId commit that the nameservice takes for the newest, if it isn't
 * @param entityCounts numbers of rows by entity, if asked for
 * @param relationCounts numbers of rows by relation, if asked for
 * @param entitySchemas stored schemas of entities, if asked for
 * @param relationSchemas stored schemas of relations, if asked for
 */
public record LedgerSummary(
    String ledger,
    Optional<Long> headCommitId,
    String storageUri,
    String engineVersion,
    boolean initialized,
    Optional<String> lastIndexWarning,
    Optional<Long> misnamedCommitId,
    Optional<Map<String, Long>> entityCounts,
    Optional<Map<String, Long>> relationCounts,
    Optional<Map<String, JsonNode>> entitySchemas,
    Optional<Map<String, JsonNode>> relationSchemas) {}
