// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.names.dynamodb.DynamoDbNameBackend;
import io.tidemark.names.dynamodb.DynamoDbSettings;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The nameservice on DynamoDB beside the bare client, both on the same server in this process. */
final class DynamoDbComparison {

  private final NamesBenchScale scale;
  private final Report report;

  DynamoDbComparison(NamesBenchScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    try (DynamoDbServer server = DynamoDbServer.start()) {
      String peersTable = server.freshTableName();
      backend(server, peersTable).close();
      Registers<?> items = new BareDynamoDbRegisters(bare(server), peersTable);
      DynamoDbNameBackend names = backend(server, server.freshTableName());
      try (RegisterWriters<?> ours = RegisterWriters.of(new NameRegisters(names), scale.records());
          RegisterWriters<?> peer = RegisterWriters.of(items, scale.records())) {
        report.section("DynamoDB, on loopback", "bare client");
        new NamesComparison(scale, scale.remote(), report)
            .compare(ours, peer, setting -> Optional.of(Goal.atLeast(0.8)));
      }
    }
  }

  /** With the table, which is there afterwards. */
  private static DynamoDbNameBackend backend(DynamoDbServer server, String table) {
    DynamoDbNameBackend backend =
        new DynamoDbNameBackend(
            DynamoDbSettings.of(table)
                .with()
                .endpoint(server.endpoint())
                .region(server.region())
                .credentials(credentials(server))
                .build());
    backend.ensureTable();
    return backend;
  }

  /** Set up as ours is, so that only what we add is compared. */
  private static DynamoDbClient bare(DynamoDbServer server) {
    return DynamoDbClient.builder()
        .endpointOverride(server.endpoint())
        .region(Region.of(server.region()))
        .credentialsProvider(credentials(server))
        .httpClientBuilder(Apache5HttpClient.builder().expectContinueEnabled(false))
        .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .build();
  }

  private static StaticCredentialsProvider credentials(DynamoDbServer server) {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(server.accessKey(), server.secretKey()));
  }
}
