// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** How PostgreSQL would answer a query. */
public final class PlanJson {

  private PlanJson() {}

  /** {@code {"plan": ["line", …]}}. */
  public static ObjectNode of(List<String> lines) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    lines.forEach(json.putArray("plan")::add);
    return json;
  }
}
