// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameBackend;
import io.tidemark.testkit.names.NameServiceContract;
import io.tidemark.testkit.names.NamesScale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** All that a nameservice does, through a server that has its names in memory. */
final class HttpNamesTest extends NameServiceContract {

  private static NamesServer server;

  HttpNamesTest() {
    server.serve(new MemoryNameBackend());
  }

  @BeforeAll
  static void start() {
    server = new NamesServer(new MemoryNameBackend());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected NamesScale scale() {
    return NamesScale.slow();
  }

  @Override
  protected NameBackend open() {
    return server.client();
  }
}
