// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A group of rows.
 *
 * @param key what its rows have in common, in the order in which it was asked for
 * @param figures in the order in which they were asked for
 */
public record Group(List<JsonNode> key, List<JsonNode> figures) {
  public Group {
    key = List.copyOf(key);
    figures = List.copyOf(figures);
  }
}
