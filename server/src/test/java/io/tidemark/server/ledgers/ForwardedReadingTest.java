// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.client.ServerConnection;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.resources.ServerResources;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Runs the contract of reading ledgers on a server before another one, which does the work. */
final class ForwardedReadingTest extends HttpReadingTest {

  private final List<RunningServer> before = new ArrayList<>();

  @Override
  String address(LedgerTestServer house) {
    String upstream = super.address(house);
    ServerResources serverResources =
        ServerResources.of(NameService.open(upstream))
            .withUpstream(ServerConnection.open(upstream));
    RunningServer server =
        new RunningServer(serverResources, AccessControl.localOnly(), ServerSettings.standard());
    before.add(server);
    return server.uri("").toString();
  }

  @AfterEach
  void stopServersBefore() {
    before.forEach(RunningServer::close);
  }
}
