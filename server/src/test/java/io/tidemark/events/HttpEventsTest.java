// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.server.objects.HttpObjectServer;
import io.tidemark.server.objects.KeyMappingBackend;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What a bus does on every store, on the objects of a server. */
class HttpEventsTest extends EventsContract {

  private static HttpObjectServer server;

  @BeforeAll
  static void start() {
    server = new HttpObjectServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  ObjectBackend open() {
    return new KeyMappingBackend(server.anew(), EventsFixture.PREFIX, "")
        .and("ledger/", "ledgers/ledger/");
  }
}
