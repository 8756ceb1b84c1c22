// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** All of the contract between S3 here and a server there, which has S3 too. */
@ExtendWith(ServerExtension.class)
@EnabledIfSystemProperty(named = "soak", matches = "true")
class S3HttpContractTest extends HttpContractTest {

  private final S3Server server;

  S3HttpContractTest(S3Server server) {
    this.server = server;
  }

  @Override
  ObjectBackend open(String name) {
    return S3TransferTest.bucket(server);
  }
}
