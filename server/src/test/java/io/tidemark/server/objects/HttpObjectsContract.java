// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.testkit.objects.ObjectStoreContract;
import io.tidemark.testkit.objects.StoreLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of a store, for the objects of a server on some other. */
abstract class HttpObjectsContract extends ObjectStoreContract {

  /** A place where every client may do everything. */
  private static final String PLACE = "sessions/s/";

  private static HttpObjectServer server;

  private boolean opened;

  @BeforeAll
  static void start() {
    server = new HttpObjectServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** What the server has its objects in; empty, and the test's own. */
  abstract ObjectBackend behind();

  @Override
  protected ObjectBackend open() {
    if (!opened) {
      server.on(behind());
      opened = true;
    }
    return new KeyMappingBackend(server.client(), "", PLACE);
  }

  @Override
  protected StoreLimits limits() {
    return new StoreLimits(ObjectKeys.MAX_BYTES - PLACE.length());
  }
}
