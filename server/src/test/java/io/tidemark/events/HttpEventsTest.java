// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.server.objects.MovedBackend;
import io.tidemark.server.objects.OverHttp;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What a bus does on every store, on the objects of a server. */
class HttpEventsTest extends EventsContract {

  private static OverHttp server;

  @BeforeAll
  static void start() {
    server = new OverHttp();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  ObjectBackend open() {
    return new MovedBackend(server.anew(), EventsFixture.PREFIX, "")
        .and("ledger/", "ledgers/ledger/");
  }
}
