// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.client.Connection;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.Gate;
import io.tidemark.server.resources.Holdings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Runs the contract of reading ledgers on a server before another one, which does the work. */
final class ForwardedReadingTest extends HttpReadingTest {

  private final List<RunningServer> before = new ArrayList<>();

  @Override
  String address(LedgerHouse house) {
    String upstream = super.address(house);
    Holdings holdings =
        Holdings.of(NameService.open(upstream)).withUpstream(Connection.open(upstream));
    RunningServer server = new RunningServer(holdings, Gate.open(), ServerSettings.standard());
    before.add(server);
    return server.uri("").toString();
  }

  @AfterEach
  void stopServersBefore() {
    before.forEach(RunningServer::close);
  }
}
