// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.objects.s3.S3Backend;
import io.tidemark.objects.s3.S3Settings;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.Servers;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Between a directory here and S3 there, in both directions; a third store is a directory too. */
@ExtendWith(Servers.class)
class S3TransferTest extends TransferContract {

  private final S3Server server;

  @TempDir private Path directory;

  S3TransferTest(S3Server server) {
    this.server = server;
  }

  @Override
  ObjectBackend open(String name) {
    if (!name.equals("there")) {
      return DirectoryBackend.open(directory.resolve(name), Durability.PAGE_CACHE);
    }
    AwsBasicCredentials credentials =
        AwsBasicCredentials.create(server.accessKey(), server.secretKey());
    return S3Backend.open(
        S3Settings.builder(server.createBucket().name())
            .prefix("data/store")
            .region(server.region())
            .endpoint(server.endpoint())
            .credentials(StaticCredentialsProvider.create(credentials))
            .build());
  }
}
