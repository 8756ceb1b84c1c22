// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.LedgerInit;
import io.tidemark.ledger.named.LedgerAdoption;
import java.util.OptionalLong;

/** Ledgers as a whole. */
public final class InfoJson {

  private InfoJson() {}

  /** What there would be of a ledger. */
  public static ObjectNode plan(String ledger, LedgerInit.Plan plan) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("ledger", ledger)
            .put("storage_uri", plan.location())
            .put("already_initialized", plan.alreadyInitialized())
            .put("force_token", plan.forceToken())
            .put("engine_version", plan.engineVersion());
    ArrayNode planned = json.putArray("planned_objects");
    plan.plannedObjects().forEach(planned::add);
    return json;
  }

  /** A ledger that was just made. */
  public static ObjectNode made(String ledger, String location) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("ledger", ledger)
        .put("storage_uri", location)
        .put("initialized", true);
  }

  /** A ledger that was given a name. */
  public static ObjectNode adopted(LedgerAdoption.Adopted adopted) {
    ObjectNode json =
        made(adopted.address().toString(), adopted.location())
            .put("head_commit_id", adopted.head() == 0 ? null : adopted.head());
    ArrayNode branches = json.putArray("branches");
    adopted.branches().forEach(branch -> branches.add(branch.toString()));
    return json;
  }

  /** A number, or null where there is none. */
  static JsonNode orNull(OptionalLong value) {
    return value.isPresent()
        ? LongNode.valueOf(value.getAsLong())
        : JsonNodeFactory.instance.nullNode();
  }
}
