// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameLocations;
import io.tidemark.testkit.names.NameStoreContract;
import io.tidemark.testkit.names.NamesContractScale;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** What a backend guarantees, through a server that has its names in a directory. */
final class HttpDirectoryNamesTest extends NameStoreContract {

  private static NamesServer server;

  /** For all, since the server may still tell others of the last move when a test is over. */
  @TempDir private static Path root;

  HttpDirectoryNamesTest() {
    server.serve(NameLocations.open(root.resolve(UUID.randomUUID().toString()).toString()));
  }

  @BeforeAll
  static void start() {
    server = new NamesServer(NameLocations.open("memory:"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected NameBackend open() {
    return server.client();
  }

  @Override
  protected NamesContractScale scale() {
    return NamesContractScale.slow();
  }
}
