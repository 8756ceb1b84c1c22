// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.Retry;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Names on DynamoDB here, on S3 there. */
@ExtendWith(ServerExtension.class)
class DynamoDbNamePayloadTest extends NamePayloadContract {

  private final DynamoDbServer dynamoDb;
  private final S3Server s3;

  @TempDir private Path directory;

  DynamoDbNamePayloadTest(DynamoDbServer dynamoDb, S3Server s3) {
    this.dynamoDb = dynamoDb;
    this.s3 = s3;
  }

  @Override
  Site site(String name) {
    return name.equals("here")
        ? DynamoDbTransferTest.site(dynamoDb, directory, name)
        : new Site(
            name, S3TransferTest.bucket(s3), Retry.standard(), TransferContract.options(name));
  }
}
