// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.s3.S3Backend;
import io.tidemark.objects.s3.S3Settings;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

@ExtendWith(ServerExtension.class)
class S3EventsTest extends EventsContract {
  private final S3Server server;

  S3EventsTest(S3Server server) {
    this.server = server;
  }

  @Override
  ObjectBackend open() {
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
