// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

import io.tidemark.objects.s3.S3Backend;
import io.tidemark.objects.s3.S3Settings;
import io.tidemark.testkit.servers.S3Server;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Our way to an S3 server, and the bare one beside it. */
public final class BenchS3Clients {

  private BenchS3Clients() {}

  /** Ours. */
  public static S3Backend ours(S3Server server, String bucket) {
    return S3Backend.open(
        S3Settings.builder(bucket)
            .endpoint(server.endpoint())
            .region(server.region())
            .credentials(credentials(server))
            .build());
  }

  /** Set up as ours is, so that only what we add is compared. */
  public static S3Client bare(S3Server server) {
    return S3Client.builder()
        .endpointOverride(server.endpoint())
        .region(Region.of(server.region()))
        .credentialsProvider(credentials(server))
        .forcePathStyle(true)
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .httpClientBuilder(Apache5HttpClient.builder().expectContinueEnabled(false))
        .build();
  }

  private static StaticCredentialsProvider credentials(S3Server server) {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(server.accessKey(), server.secretKey()));
  }
}
