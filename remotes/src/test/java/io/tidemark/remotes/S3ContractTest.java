// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * All of the contract between a directory here and S3 there; {@link S3TransferTest} has what tells
 * the two apart.
 */
@ExtendWith(ServerExtension.class)
@EnabledIfSystemProperty(named = "soak", matches = "true")
class S3ContractTest extends TransferContract {

  private final S3Server server;

  @TempDir private Path directory;

  S3ContractTest(S3Server server) {
    this.server = server;
  }

  @Override
  ObjectBackend open(String name) {
    if (!name.equals("there")) {
      return DirectoryBackend.open(directory.resolve(name), Durability.PAGE_CACHE);
    }
    return S3TransferTest.bucket(server);
  }
}
