// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.objects.RequestTimers;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Makes SDK clients that do exactly one HTTP request a call. */
final class Clients {

  private Clients() {}

  /** A client for the settings, whose requests are told. */
  static DynamoDbClient observed(DynamoDbSettings settings, Observed observed) {
    DynamoDbClientBuilder builder = builder(settings);
    return builder
        .overrideConfiguration(
            builder.overrideConfiguration().toBuilder().addExecutionInterceptor(observed).build())
        .build();
  }

  /** A client for the settings, still to be built. */
  static DynamoDbClientBuilder builder(DynamoDbSettings settings) {
    DynamoDbClientBuilder builder =
        DynamoDbClient.builder()
            .region(Region.of(settings.region()))
            .credentialsProvider(credentials(settings))
            .httpClientBuilder(httpClient(settings))
            .overrideConfiguration(
                // A conditional request must never be repeated blindly; whoever calls decides.
                o ->
                    o.retryStrategy(DefaultRetryStrategy.doNotRetry())
                        .scheduledExecutorService(RequestTimers.shared())
                        .apiCallAttemptTimeout(settings.timeout()));
    settings.endpoint().ifPresent(builder::endpointOverride);
    return builder;
  }

  private static Apache5HttpClient.Builder httpClient(DynamoDbSettings settings) {
    // Half the time for getting a connection, so that a server that can't be reached is told from
    // one that took a request and didn't answer.
    Duration connecting = settings.timeout().dividedBy(2);
    return Apache5HttpClient.builder()
        .maxConnections(64)
        .connectionAcquisitionTimeout(connecting)
        .connectionTimeout(connecting)
        .socketTimeout(settings.timeout())
        .tcpKeepAlive(true)
        .expectContinueEnabled(false);
  }

  private static AwsCredentialsProvider credentials(DynamoDbSettings settings) {
    AwsCredentialsProvider provider =
        settings.credentials().orElseGet(() -> DefaultCredentialsProvider.builder().build());
    return new RecognisableCredentials(provider);
  }

  /** Makes "no credentials" an exception of its own; the SDK's is told by its text only. */
  private record RecognisableCredentials(AwsCredentialsProvider provider)
      implements AwsCredentialsProvider {
    @Override
    public AwsCredentials resolveCredentials() {
      try {
        return provider.resolveCredentials();
      } catch (SdkClientException e) {
        throw new NoCredentialsException(e);
      }
    }
  }

  /** There are no credentials to sign a request with. */
  static final class NoCredentialsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoCredentialsException(SdkClientException cause) {
      super("no credentials were found", cause);
    }
  }
}
