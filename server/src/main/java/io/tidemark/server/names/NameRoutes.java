// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.util.List;

/** Records by their addresses. */
public final class NameRoutes {

  private final NameService names;

  public NameRoutes(NameService names) {
    this.names = names;
  }

  public List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/v1/names/{address}",
            Need.of(Action.READ, Realm.NAMES, "address"),
            this::show));
  }

  private Reply show(Call call) {
    Address address = Address.parse(call.path("address"));
    return names
        .find(address)
        .map(
            record ->
                Reply.ok(
                    JsonNodeFactory.instance
                        .objectNode()
                        .put("address", record.address().toString())))
        .orElseThrow(() -> new NotFoundException("there is no " + address + "; check the address"));
  }
}
