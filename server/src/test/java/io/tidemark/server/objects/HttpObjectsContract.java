// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.server.RunningServer;
import io.tidemark.testkit.objects.ObjectStoreContract;
import io.tidemark.testkit.objects.StoreLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The contract of a store, for the objects of a server on some other. */
abstract class HttpObjectsContract extends ObjectStoreContract {

  /** A place where every client may do everything. */
  private static final String PLACE = "sessions/s/";

  private @Nullable RunningServer server; // null until the store is opened

  /** What the server has its objects in; empty, and the test's own. */
  abstract ObjectBackend behind();

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected ObjectBackend open() {
    if (server == null) {
      server = OverHttp.serving(behind());
    }
    return new MovedBackend(OverHttp.client(server), "", PLACE);
  }

  @Override
  protected StoreLimits limits() {
    return StoreLimits.none().withKeyBytes(ObjectKeys.MAX_BYTES - PLACE.length());
  }
}
