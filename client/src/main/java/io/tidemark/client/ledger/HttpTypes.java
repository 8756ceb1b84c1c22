// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerTypes;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.client.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Types of a ledger on a server. */
record HttpTypes(LedgerServer server) implements LedgerTypes {

  private static final String TYPES = "types";

  private List<TypeVersion> versions(Request listing) {
    List<TypeVersion> versions = new ArrayList<>();
    server.list(listing, item -> versions.add(WireJson.read(item, TypeVersion.class)));
    return versions;
  }

  @Override
  public List<TypeVersion> list() {
    return versions(server.request("GET", TYPES));
  }

  @Override
  public TypeVersion show(String type, OptionalLong version) {
    Request current = server.request("GET", TYPES, type);
    return server.read(
        version.isPresent()
            ? current.query("version", Long.toString(version.getAsLong()))
            : current,
        TypeVersion.class);
  }

  @Override
  public List<TypeVersion> history(String type) {
    return versions(server.request("GET", TYPES, type, "history"));
  }
}
