// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Branches;
import io.tidemark.names.LedgerDropResult;
import io.tidemark.names.UnfinishedDrops;
import java.util.List;
import java.util.Locale;

/** JSON form of the outcome of dropping a branch, or a ledger with all of its branches. */
public final class DropJson {

  private DropJson() {}

  public static ObjectNode of(Address address, Branches.DropResult dropResult) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("address", address.toString()).put("outcome", word(dropResult.dropped()));
    ArrayNode cascaded = json.putArray("cascaded");
    dropResult.cascaded().forEach(gone -> cascaded.add(gone.toString()));
    ArrayNode retracted = json.putArray("retracted");
    dropResult.retracted().forEach(left -> retracted.add(left.toString()));
    return json;
  }

  /**
   * Drops of branches that were finished.
   *
   * @param gone the branches that are gone now
   * @param left what is left to be decided
   */
  public static ObjectNode of(String name, List<Address> gone, UnfinishedDrops left) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("name", name);
    ArrayNode dropped = json.putArray("dropped");
    gone.forEach(address -> dropped.add(address.toString()));
    ArrayNode retracted = json.putArray("retracted");
    left.retracted().forEach(address -> retracted.add(address.toString()));
    return json;
  }

  public static ObjectNode of(String name, LedgerDropResult drop) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", name).put("outcome", word(drop.outcome()));
    ArrayNode branches = json.putArray("branches");
    drop.branches().forEach(address -> branches.add(address.toString()));
    return json;
  }

  private static String word(Enum<?> outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}
