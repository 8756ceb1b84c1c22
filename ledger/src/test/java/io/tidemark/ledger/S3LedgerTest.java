// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.s3.S3Backend;
import io.tidemark.objects.s3.S3Settings;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

@ExtendWith(ServerExtension.class)
class S3LedgerTest extends LedgerContract {
  private final S3Server server;

  S3LedgerTest(S3Server server) {
    this.server = server;
  }

  @Override
  ObjectBackend open() {
    return open(server.createBucket().name(), "data/store");
  }

  private ObjectBackend open(String bucket, String prefix) {
    AwsBasicCredentials credentials =
        AwsBasicCredentials.create(server.accessKey(), server.secretKey());
    return S3Backend.open(
        S3Settings.builder(bucket)
            .prefix(prefix)
            .region(server.region())
            .endpoint(server.endpoint())
            .credentials(StaticCredentialsProvider.create(credentials))
            .build());
  }

  @Test
  void a5_aSlashAtTheEndOfALocationMakesNoOtherPlace() {
    String bucket = server.createBucket().name();
    try (ObjectStore one = new ObjectStore(open(bucket, "p"), Retry.standard());
        ObjectStore other = new ObjectStore(open(bucket, "p/"), Retry.standard());
        ObjectStore root = new ObjectStore(open(bucket, ""), Retry.standard())) {
      new LedgerInitializer(one, "").init();

      assertThat(new LedgerInitializer(other, "").plan())
          .isEqualTo(new LedgerInitializer(one, "").plan());
      assertThat(new LedgerInitializer(other, "").plan().alreadyInitialized()).isTrue();
      Ledger.open(other, "", LedgerOptions.standard()).close();
      assertThat(root.get("p/meta/head.json")).isPresent();
    }
  }
}
