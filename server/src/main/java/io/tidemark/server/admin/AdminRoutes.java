// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import io.tidemark.names.NameService;
import io.tidemark.server.access.Need;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.util.List;

/**
 * How all is, to who runs the server; it shows names that this caller may have no other right to.
 */
public final class AdminRoutes {

  private final NameService names;

  public AdminRoutes(NameService names) {
    this.names = names;
  }

  public List<Route> routes() {
    return List.of(new Route("GET", "/v1/admin/status", Need.admin(), this::status));
  }

  private Reply status(Call call) {
    return Reply.ok(StoreStatus.of(names, call.pageSize()).json());
  }
}
