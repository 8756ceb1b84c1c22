// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import io.tidemark.Tidemark;
import io.tidemark.api.events.EventBusService;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.events.EventServiceContract;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The event services of a server, by its client. */
class HttpEventServiceTest extends EventServiceContract {

  private static RunningServer server;
  private static Tidemark tidemark;

  @BeforeAll
  static void start() {
    server =
        new RunningServer(
            new ServerResources(
                NameService.open("memory:"),
                Optional.of(ObjectStore.open("memory:")),
                Optional.empty()));
    tidemark = Tidemark.open(server.uri("").toString());
  }

  @AfterAll
  static void stop() {
    tidemark.close();
    server.close();
  }

  @Override
  protected EventBusService bus() {
    return tidemark.events();
  }
}
