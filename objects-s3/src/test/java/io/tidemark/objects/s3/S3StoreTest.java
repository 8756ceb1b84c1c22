// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.testkit.objects.ContractScale;
import io.tidemark.testkit.objects.SharedObjectStoreContract;
import io.tidemark.testkit.objects.StoreLimits;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of every store. */
@ExtendWith(ServerExtension.class)
class S3StoreTest extends SharedObjectStoreContract {

  private final S3Bucket bucket;

  S3StoreTest(S3Server server) {
    bucket = server.createBucket();
  }

  @Override
  protected ObjectBackend open() {
    return S3Backend.open(TestStore.settings(bucket).build());
  }

  @Override
  protected String location() {
    S3Server server = bucket.server();
    return "s3://%s/data/store?region=%s&endpoint=%s"
        .formatted(bucket.name(), server.region(), server.endpoint());
  }

  @Override
  protected Map<String, String> childProperties() {
    S3Server server = bucket.server();
    return Map.of("aws.accessKeyId", server.accessKey(), "aws.secretAccessKey", server.secretKey());
  }

  @Override
  protected ContractScale scale() {
    return ContractScale.slow();
  }

  @Override
  protected StoreLimits limits() {
    return new StoreLimits(ObjectKeys.MAX_BYTES - "data/store/".length());
  }
}
