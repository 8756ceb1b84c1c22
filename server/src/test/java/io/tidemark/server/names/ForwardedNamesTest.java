// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameBackend;
import io.tidemark.testkit.names.NameServiceContract;
import io.tidemark.testkit.names.NamesContractScale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** All that a nameservice does, through a server that passes it on to another. */
@EnabledIfSystemProperty(named = "soak", matches = "true")
final class ForwardedNamesTest extends NameServiceContract {

  private static NamesServer upstream;
  private static NamesServer forwarding;

  ForwardedNamesTest() {
    upstream.serve(new MemoryNameBackend());
  }

  @BeforeAll
  static void start() {
    upstream = new NamesServer(new MemoryNameBackend());
    forwarding = new NamesServer(upstream.client());
  }

  @AfterAll
  static void stop() {
    forwarding.close();
    upstream.close();
  }

  @Override
  protected NamesContractScale scale() {
    return NamesContractScale.slow();
  }

  @Override
  protected NameBackend open() {
    return forwarding.client();
  }
}
