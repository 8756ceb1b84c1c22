// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.time.Clock;
import org.junit.jupiter.api.extension.ExtendWith;

/** Names on S3 here, in memory there. */
@ExtendWith(ServerExtension.class)
class S3NamePayloadTest extends NamePayloadContract {

  private final S3Server server;

  S3NamePayloadTest(S3Server server) {
    this.server = server;
  }

  @Override
  Site site(String name) {
    return new Site(
        name,
        name.equals("here") ? S3TransferTest.bucket(server) : new MemoryBackend(Clock.systemUTC()),
        Retry.standard(),
        TransferContract.options(name));
  }
}
