// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/** A bucket through the AWS client, one request a call and no retries. */
record S3Access(S3Client client, String bucket) {

  static S3Client client(S3Server server, String secret) {
    return S3Client.builder()
        .endpointOverride(server.endpoint())
        .region(Region.of(server.region()))
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(server.accessKey(), secret)))
        .httpClientBuilder(
            Apache5HttpClient.builder().expectContinueEnabled(false).maxConnections(32))
        .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  /** Writes and returns the ETag. */
  String put(String key, String text) {
    return client.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromString(text)).eTag();
  }

  String putIfMatch(String key, String text, String etag) {
    return client
        .putObject(b -> b.bucket(bucket).key(key).ifMatch(etag), RequestBody.fromString(text))
        .eTag();
  }

  String create(String key, String text) {
    return client
        .putObject(b -> b.bucket(bucket).key(key).ifNoneMatch("*"), RequestBody.fromString(text))
        .eTag();
  }

  String get(String key) {
    return client.getObjectAsBytes(b -> b.bucket(bucket).key(key)).asUtf8String();
  }

  void deleteIfMatch(String key, String etag) {
    client.deleteObject(b -> b.bucket(bucket).key(key).ifMatch(etag));
  }

  /** One page. */
  ListObjectsV2Response page(ListObjectsV2Request.Builder request) {
    return client.listObjectsV2(request.bucket(bucket).build());
  }

  /** The keys of all pages. */
  List<String> keys(String prefix) {
    List<String> keys = new ArrayList<>();
    client
        .listObjectsV2Paginator(b -> b.bucket(bucket).prefix(prefix))
        .contents()
        .forEach(o -> keys.add(o.key()));
    return keys;
  }
}
