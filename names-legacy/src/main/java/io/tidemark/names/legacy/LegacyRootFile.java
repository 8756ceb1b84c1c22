// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.objects.DocumentJson;
import io.tidemark.names.objects.LegacyForms;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The file that a ledger had in the root of the store before there was a nameservice. It holds the
 * last commit of each branch; today's keys are made of it. The root may hold files of anybody, so
 * one counts only if it names its ledger where such a file does.
 */
final class LegacyRootFile implements LegacyForms.Location {

  /** None was longer than some kilobytes; what is longer isn't even read. */
  private static final long LONGEST = 1 << 20;

  private static final String ALIAS = "ledgerAlias";
  private static final Set<String> CONVERTED =
      Set.of("@context", "@id", "@type", "id", "type", ALIAS, "branches");

  @Override
  public String prefix() {
    return "";
  }

  @Override
  public boolean isCandidate(String key, long size) {
    return key.endsWith(".json") && size <= LONGEST;
  }

  @Override
  public boolean isWorthParsing(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).contains("\"" + ALIAS + "\"");
  }

  @Override
  public String formOf(String key) {
    return "root file";
  }

  @Override
  public Map<Address, ObjectNode> records(String key, ObjectNode json) {
    if (!json.path(ALIAS).isTextual()) {
      return Map.of(); // a file of others
    }
    String alias = DocumentJson.text(key, json, ALIAS).orElse("");
    String name = alias.contains(":") ? Address.parse(alias).name() : alias;
    Map<Address, ObjectNode> records = new LinkedHashMap<>();
    for (JsonNode branch : json.path("branches")) {
      JsonNode commit = branch.path("commit");
      String called = DocumentJson.text(key, commit, "branch").orElse(Address.MAIN);
      Address address = new Address(name, called);
      ObjectNode record = convert(key, json, commit);
      ObjectNode rest = rest(branch);
      if (!rest.isEmpty()) {
        record.putArray("branches").add(rest);
      }
      if (records.put(address, record) != null) {
        throw DocumentJson.corrupt(key, "has the branch " + called + " twice");
      }
    }
    if (records.isEmpty()) {
      throw DocumentJson.corrupt(key, "has no branches");
    }
    return records;
  }

  /** Returns the members of a branch that the record has no place for, with their parents. */
  private static ObjectNode rest(JsonNode branch) {
    ObjectNode rest = fields(branch);
    ObjectNode commit = fields(rest.path("commit")).without(Set.of("address", "branch"));
    ObjectNode index = fields(commit.path("index")).without(Set.of("address"));
    keep(index, "data", fields(index.path("data")).without(Set.of("t")));
    keep(commit, "index", index);
    keep(commit, "data", fields(commit.path("data")).without(Set.of("t")));
    keep(rest, "commit", commit);
    return rest;
  }

  private static ObjectNode fields(JsonNode node) {
    return node instanceof ObjectNode object ? object.deepCopy() : DocumentJson.object();
  }

  private static void keep(ObjectNode in, String key, ObjectNode rest) {
    if (in.path(key).isObject() && rest.isEmpty()) {
      in.remove(key);
    } else if (!rest.isEmpty()) {
      in.set(key, rest);
    }
  }

  private static ObjectNode convert(String key, ObjectNode json, JsonNode commit) {
    ObjectNode out = DocumentJson.object();
    out.putArray("@type").add("f:Database").add("f:LedgerSource");
    Optional<Long> t = DocumentJson.number(key, commit.path("data"), "t");
    Optional<String> address = DocumentJson.text(key, commit, "address");
    if (t.isPresent() != address.isPresent()) {
      throw DocumentJson.corrupt(
          key, "has a commit without " + (t.isEmpty() ? "data.t" : "address"));
    }
    address.ifPresent(id -> out.put("f:commitCid", id));
    out.put("f:t", t.orElse(0L));
    DocumentJson.text(key, commit.path("index"), "address")
        .ifPresent(
            id ->
                out.putObject("f:ledgerIndex")
                    .put("@id", id)
                    // Where it doesn't say how far the index has come, nothing is claimed.
                    .put(
                        "f:t", DocumentJson.number(key, commit.at("/index/data"), "t").orElse(0L)));
    out.put("f:status", "ready");
    json.properties()
        .forEach(
            field -> {
              if (!CONVERTED.contains(field.getKey())) {
                out.set(field.getKey(), field.getValue().deepCopy());
              }
            });
    return out;
  }
}
