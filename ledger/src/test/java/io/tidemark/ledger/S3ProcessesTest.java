// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** On S3, where it takes a minute; so a soak run will do beside the same in a directory. */
@EnabledIfSystemProperty(named = "soak", matches = "true")
@ExtendWith(ServerExtension.class)
class S3ProcessesTest extends WritingProcessesContract {

  private final S3Bucket bucket;

  S3ProcessesTest(S3Server server) {
    bucket = server.createBucket();
  }

  @Override
  String location() {
    S3Server server = bucket.server();
    return "s3://%s?region=%s&endpoint=%s"
        .formatted(bucket.name(), server.region(), server.endpoint());
  }

  @Override
  Map<String, String> childProperties() {
    S3Server server = bucket.server();
    return Map.of("aws.accessKeyId", server.accessKey(), "aws.secretAccessKey", server.secretKey());
  }

  @Override
  ObjectStore open() {
    return S3WritersTest.store(bucket);
  }
}
