// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.remotes;

import io.tidemark.Tidemark;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.remotes.RemoteServiceContract;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;

/** Runs the contract of remotes over HTTP, on a real server. */
class HttpRemoteServiceTest extends RemoteServiceContract {

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Has something closed after the test, in the reverse order. */
  final <T extends AutoCloseable> T kept(T opened) {
    this.opened.push(opened);
    return opened;
  }

  @AfterEach
  final void closeServers() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @Override
  protected Tidemark open(Path store) {
    NameService names = kept(NameService.open(store.toString()));
    return Tidemark.open(address(kept(new RunningServer(ServerResources.of(names)))));
  }

  /** Returns the address of the server that is asked. */
  String address(RunningServer server) {
    return server.uri("").toString();
  }
}
