// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Condition on groups.
 *
 * @param figure aggregate of a group that is compared
 * @param is one of {@code = != < <= > >=}
 * @param value number or text that the aggregate is compared with
 */
public record Having(AggregateSpec figure, String is, JsonNode value) {}
