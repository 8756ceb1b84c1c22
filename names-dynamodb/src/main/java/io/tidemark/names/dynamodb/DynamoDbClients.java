// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.aws.internal.AwsClients;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Factory of SDK clients that make exactly one HTTP request a call. */
final class DynamoDbClients {

  private DynamoDbClients() {}

  /** Returns a client for the settings, whose requests are told. */
  static DynamoDbClient observed(
      DynamoDbSettings settings, ObserverInterceptor observerInterceptor) {
    DynamoDbClientBuilder builder = builder(settings);
    return builder
        .overrideConfiguration(
            builder.overrideConfiguration().toBuilder()
                .addExecutionInterceptor(observerInterceptor)
                .build())
        .build();
  }

  /** Returns a client for the settings, still to be built. */
  static DynamoDbClientBuilder builder(DynamoDbSettings settings) {
    DynamoDbClientBuilder builder =
        DynamoDbClient.builder()
            .region(Region.of(settings.region()))
            .credentialsProvider(AwsClients.credentials(settings.credentials()))
            .httpClientBuilder(AwsClients.httpClient(settings.timeout(), 64))
            .overrideConfiguration(
                AwsClients.sendingOnce().apiCallAttemptTimeout(settings.timeout()).build());
    settings.endpoint().ifPresent(builder::endpointOverride);
    return builder;
  }
}
