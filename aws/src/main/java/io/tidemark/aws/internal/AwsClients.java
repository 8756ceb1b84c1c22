// SPDX-License-Identifier: Apache-2.0
package io.tidemark.aws.internal;

import io.tidemark.objects.RequestTimers;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.retries.DefaultRetryStrategy;

/** Parts of SDK clients that do exactly one HTTP request a call. */
public final class AwsClients {

  private AwsClients() {}

  /**
   * Returns a configuration without retries: a conditional request must never be repeated blindly,
   * so the caller decides.
   */
  public static ClientOverrideConfiguration.Builder sendingOnce() {
    return ClientOverrideConfiguration.builder()
        .retryStrategy(DefaultRetryStrategy.doNotRetry())
        .scheduledExecutorService(RequestTimers.shared());
  }

  /**
   * Returns an HTTP client, still to be built.
   *
   * @param timeout maximum time without a byte; half of it for getting a connection, so that a
   *     server that can't be reached is told from one that took a request and didn't answer
   */
  public static Apache5HttpClient.Builder httpClient(Duration timeout, int maxConnections) {
    Duration connecting = timeout.dividedBy(2);
    return Apache5HttpClient.builder()
        .maxConnections(maxConnections)
        .connectionAcquisitionTimeout(connecting)
        .connectionTimeout(connecting)
        .socketTimeout(timeout)
        .tcpKeepAlive(true)
        .expectContinueEnabled(false);
  }

  /**
   * Returns credentials whose absence {@link AwsFailures} recognises.
   *
   * @param given where they come from; when empty, the SDK's default chain is asked
   */
  public static AwsCredentialsProvider credentials(Optional<AwsCredentialsProvider> given) {
    return new RecognisableCredentials(
        given.orElseGet(() -> DefaultCredentialsProvider.builder().build()));
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
  public static final class NoCredentialsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoCredentialsException(SdkClientException cause) {
      super("no credentials were found", cause);
    }
  }
}
