// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.remotes;

import io.tidemark.client.ServerConnection;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;

/** Runs the contract of remotes on a server before another one, which does the work. */
final class ForwardedRemoteServiceTest extends HttpRemoteServiceTest {

  @Override
  String address(RunningServer behind) {
    String upstream = super.address(behind);
    NameService names = kept(NameService.open(upstream));
    ServerResources serverResources =
        ServerResources.of(names).withUpstream(ServerConnection.open(upstream));
    return super.address(kept(new RunningServer(serverResources)));
  }
}
