// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.server.objects.MovedBackend;
import io.tidemark.server.objects.OverHttp;

/** What a bus does on every store, on the objects of a server. */
class HttpEventsTest extends EventsContract {

  @Override
  ObjectBackend open() {
    return new MovedBackend(OverHttp.open(), EventsFixture.PREFIX, "");
  }
}
