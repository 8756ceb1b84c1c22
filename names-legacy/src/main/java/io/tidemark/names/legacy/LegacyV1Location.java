// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.legacy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.objects.DocumentJson;
import io.tidemark.names.objects.LegacyForms;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Records below {@code ns@v1/}, as {@code {name}@{branch}.json} or {@code {name}/{branch}.json}.
 */
final class LegacyV1Location implements LegacyForms.Location {

  private static final Pattern FLAT = Pattern.compile("ns@v1/(.+)@([^/@]+)\\.json");
  private static final Pattern NESTED = Pattern.compile("ns@v1/(?:(.+)/)?([^/]+)\\.json");
  private static final Pattern NO_RECORD = Pattern.compile(".*\\.(snapshots|commits|index)\\.json");

  @Override
  public String prefix() {
    return "ns@v1/";
  }

  @Override
  public boolean isCandidate(String key, long size) {
    return key.endsWith(".json") && !NO_RECORD.matcher(key).matches();
  }

  @Override
  public boolean isWorthParsing(byte[] bytes) {
    return bytes.length > 0;
  }

  @Override
  public String formOf(String key) {
    return FLAT.matcher(key).matches() ? "v1 flat" : "v1 nested";
  }

  @Override
  public Map<Address, ObjectNode> records(String key, ObjectNode json) {
    return Map.of(address(key), json);
  }

  private static Address address(String key) {
    Matcher flat = FLAT.matcher(key);
    if (flat.matches()) {
      return new Address(flat.group(1), flat.group(2));
    }
    Matcher nested = NESTED.matcher(key);
    if (!nested.matches()) {
      throw DocumentJson.corrupt(key, "has a key that names no ledger");
    }
    return nested.group(1) == null
        ? new Address(nested.group(2), Address.MAIN)
        : new Address(nested.group(1), nested.group(2));
  }
}
