// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.s3.S3Backend;
import io.tidemark.objects.s3.S3Settings;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** On S3. */
@ExtendWith(ServerExtension.class)
class S3WritersTest extends WritersContract {

  private final S3Bucket bucket;

  S3WritersTest(S3Server server) {
    bucket = server.createBucket();
  }

  @Override
  ObjectStore open() {
    return store(bucket);
  }

  static ObjectStore store(S3Bucket bucket) {
    return new ObjectStore(backend(bucket), Retry.standard());
  }

  static S3Backend backend(S3Bucket bucket) {
    S3Server server = bucket.server();
    S3Settings settings =
        S3Settings.builder(bucket.name())
            .region(server.region())
            .endpoint(server.endpoint())
            .credentials(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(server.accessKey(), server.secretKey())))
            .build();
    return S3Backend.open(settings);
  }

  @Override
  int rounds() {
    return 4;
  }
}
