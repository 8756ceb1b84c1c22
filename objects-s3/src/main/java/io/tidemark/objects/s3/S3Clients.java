// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.RequestTimers;
import io.tidemark.objects.ServerClock;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Makes SDK clients that do exactly one HTTP request a call. */
final class S3Clients {

  private S3Clients() {}

  /** A client for the settings, whose answers teach the clock. */
  static S3Client create(S3Settings settings, ServerClock clock) {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(region(settings))
            .credentialsProvider(credentials(settings))
            .forcePathStyle(settings.addressing() == S3Settings.Addressing.PATH)
            // Trailing checksums need aws-chunked bodies, which many servers refuse; TLS and the
            // length guard the bytes on their way.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            // Servers that refuse a request before its body came leave the connection unusable;
            // the HTTP client below is told the same.
            .serviceConfiguration(s -> s.expectContinueEnabled(false))
            .httpClientBuilder(httpClient(settings))
            .overrideConfiguration(
                // A conditional request must never be repeated blindly; whoever calls decides.
                o ->
                    o.retryStrategy(DefaultRetryStrategy.doNotRetry())
                        .scheduledExecutorService(RequestTimers.shared())
                        .addExecutionInterceptor(new S3Wire(clock)));
    settings.endpoint().ifPresent(builder::endpointOverride);
    return builder.build();
  }

  private static Apache5HttpClient.Builder httpClient(S3Settings settings) {
    // Half the time for getting a connection, so that a server that can't be reached is told from
    // one that took a request and didn't answer.
    Duration connecting = settings.requestTimeout().dividedBy(2);
    return Apache5HttpClient.builder()
        .maxConnections(settings.maxConnections())
        .connectionAcquisitionTimeout(connecting)
        .connectionTimeout(connecting)
        .socketTimeout(settings.requestTimeout())
        .tcpKeepAlive(true)
        .expectContinueEnabled(false);
  }

  private static Region region(S3Settings settings) {
    if (settings.region().isPresent()) {
      return Region.of(settings.region().get());
    }
    // Servers other than AWS rarely care; don't ask the metadata service of a machine in vain.
    AwsRegionProvider chain =
        settings.endpoint().isPresent()
            ? new AwsRegionProviderChain(
                new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
            : new DefaultAwsRegionProviderChain();
    try {
      return chain.getRegion();
    } catch (SdkClientException e) {
      if (settings.endpoint().isPresent()) {
        return Region.US_EAST_1;
      }
      throw new InvalidLocationException(
          "the region of the bucket "
              + settings.bucket()
              + " isn't known; write "
              + settings.location()
              + "?region=eu-central-1, say, or set AWS_REGION",
          e);
    }
  }

  private static AwsCredentialsProvider credentials(S3Settings settings) {
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
