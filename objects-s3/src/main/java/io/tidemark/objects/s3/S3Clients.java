// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.aws.internal.AwsClients;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.ServerClock;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Factory of SDK clients that make exactly one HTTP request a call. */
final class S3Clients {

  private S3Clients() {}

  /** Returns a client for the settings, whose answers teach the clock. */
  static S3Client create(S3Settings settings, ServerClock clock) {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(region(settings))
            .credentialsProvider(AwsClients.credentials(settings.credentials()))
            .forcePathStyle(settings.isByPath())
            // Trailing checksums need aws-chunked bodies, which many servers refuse; TLS and the
            // length guard the bytes on their way.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            // Servers that refuse a request before its body came leave the connection unusable;
            // the HTTP client below is told the same.
            .serviceConfiguration(s -> s.expectContinueEnabled(false))
            .httpClientBuilder(
                AwsClients.httpClient(settings.requestTimeout(), settings.maxConnections()))
            .overrideConfiguration(
                AwsClients.sendingOnce()
                    .addExecutionInterceptor(new S3RequestInterceptor(clock))
                    .build());
    settings.endpoint().ifPresent(builder::endpointOverride);
    return builder.build();
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
}
