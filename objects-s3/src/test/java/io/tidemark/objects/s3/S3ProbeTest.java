// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static io.tidemark.objects.s3.TestStore.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.Listing;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Bucket.Conditions;
import io.tidemark.testkit.servers.S3Operation;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import io.tidemark.testkit.servers.ServerFault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/** What opening a store finds out, before anything can go wrong by it: F30 of the ledger's. */
@ExtendWith(ServerExtension.class)
class S3ProbeTest {

  private final S3Server server;
  private final S3Bucket bucket;

  S3ProbeTest(S3Server server) {
    this.server = server;
    this.bucket = server.createBucket();
  }

  @Test
  void aStoreThatHonoursConditionsIsOpened() {
    try (S3Backend backend = TestStore.open(TestStore.settings(bucket).build())) {
      assertThat(bucket.requests().count(S3Operation.PUT_OBJECT)).isEqualTo(5);
      assertThat(bucket.requests().count()).isEqualTo(7);
      assertThat(backend.capabilities().location())
          .isEqualTo("s3://" + bucket.name() + "/data/store");
    }
  }

  @Test
  void aDeleteOfNothingThatIsAnsweredWithSuccessIsNotConditional() {
    try (S3Backend backend = TestStore.open(TestStore.settings(bucket).build())) {
      assertThat(backend.capabilities().conditionalDelete()).isFalse();
    }
  }

  @Test
  void aStoreThatHonoursConditionsOnDeletesTooIsNoted() {
    bucket.faults().next(S3Operation.DELETE_OBJECT, ServerFault.answer(404, "NoSuchKey"));

    try (S3Backend backend = TestStore.open(TestStore.settings(bucket).build())) {
      assertThat(backend.capabilities().conditionalDelete()).isTrue();
      assertThat(bucket.requests().count()).isEqualTo(8);
      assertThat(bucket.requests().count(S3Operation.DELETE_OBJECT)).isEqualTo(3);
    }
    assertThat(keysInBucket(bucket)).isEmpty();
  }

  @Test
  void theProbeLeavesNothingBehind() {
    TestStore.open(TestStore.settings(bucket).build()).close();

    assertThat(keysInBucket(bucket)).isEmpty();
  }

  @Test
  void aStoreThatIgnoresConditionsIsRefused() {
    S3Bucket careless = server.createBucket(Conditions.IGNORED);

    assertThatThrownBy(() -> TestStore.open(TestStore.settings(careless).build()))
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining("s3://" + careless.name() + "/data/store")
        .hasMessageContaining("overwrite each other")
        .hasMessageContaining("Use AWS S3");
    assertThat(keysInBucket(careless)).isEmpty();
  }

  @Test
  void aStoreThatKnowsNoConditionsIsRefused() {
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.answer(501, "NotImplemented"));

    assertThatThrownBy(() -> TestStore.open(TestStore.settings(bucket).build()))
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining("501 NotImplemented")
        .hasMessageContaining("Use AWS S3");
  }

  @Test
  void aStoreThatRefusesTheRightVersionIsRefused() {
    // As a server does that compares the header with its quotes.
    bucket
        .faults()
        .next(
            request ->
                request.operation() == S3Operation.PUT_OBJECT
                    && request.header("if-match").isPresent()
                    && bucket.requests().count() == 5,
            ServerFault.PRECONDITION_FAILED);

    assertThatThrownBy(() -> TestStore.open(TestStore.settings(bucket).build()))
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining("refuses to replace the version that If-Match names");
    assertThat(keysInBucket(bucket)).isEmpty();
  }

  @Test
  void aStoreThatIgnoresConditionsOnDeletesIsNoted() {
    S3Bucket careless = server.createBucket(Conditions.IGNORED_ON_DELETE);
    careless.faults().next(S3Operation.DELETE_OBJECT, ServerFault.answer(404, "NoSuchKey"));

    try (S3Backend backend = TestStore.open(TestStore.settings(careless).build())) {
      assertThat(backend.capabilities().conditionalDelete()).isFalse();
    }
    assertThat(keysInBucket(careless)).isEmpty();
  }

  @Test
  void aStoreThatMayNotBeDeletedFromIsOpenedAndTheProbeIsHidden() {
    for (int i = 0; i < 2; i++) {
      bucket.faults().next(S3Operation.DELETE_OBJECT, ServerFault.answer(403, "AccessDenied"));
    }

    try (S3Backend backend = TestStore.open(TestStore.settings(bucket).build())) {
      assertThat(backend.capabilities().conditionalDelete()).isFalse();
      write(backend, "k", "v");
      assertThat(backend.list(Listing.all("")).map(Listing.Entry::name)).containsExactly("k");
      assertThat(backend.list(Listing.children("")).map(Listing.Entry::name)).containsExactly("k");
    }
    assertThat(keysInBucket(bucket)).hasSize(2);
  }

  @Test
  void aFaultThatPassesIsTriedAgain() {
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.SLOW_DOWN);
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.LOSE_RESPONSE);

    S3Backend.open(TestStore.settings(bucket).build(), Clock.systemUTC(), Retry.standard()).close();

    assertThat(bucket.faults().pending()).isZero();
    assertThat(keysInBucket(bucket)).isEmpty();
  }

  @Test
  void aFaultThatStaysIsToldAsSuch() {
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.SLOW_DOWN);

    assertThatThrownBy(() -> TestStore.open(TestStore.settings(bucket).build()))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("can't open s3://" + bucket.name() + "/data/store: ");
  }

  @Test
  void aBucketThatIsntThereIsNamed() {
    S3Settings settings = elsewhere("no-such-bucket").build();

    assertThatThrownBy(() -> TestStore.open(settings))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining("there is no bucket no-such-bucket at " + server.endpoint())
        .hasMessageContaining("create it");
  }

  @Test
  void aBucketThatIsntThereIsNamedToReadersToo() {
    S3Settings settings = elsewhere("no-such-bucket").access(S3Settings.Access.READ_ONLY).build();

    try (S3Backend backend = TestStore.open(settings)) {
      assertThatThrownBy(() -> TestStore.read(backend, "k"))
          .isInstanceOf(InvalidLocationException.class);
      assertThatThrownBy(() -> backend.head("k")).isInstanceOf(InvalidLocationException.class);
      assertThatThrownBy(() -> backend.list(Listing.all("")).toList())
          .isInstanceOf(InvalidLocationException.class);
    }
  }

  @Test
  void wrongCredentialsAreDeniedWithoutBeingShown() {
    S3Settings settings =
        TestStore.settings(bucket)
            .credentials(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(server.accessKey(), "guessed-secret")))
            .build();

    assertThatThrownBy(() -> TestStore.open(settings))
        .isInstanceOf(StoreAccessException.class)
        .hasMessageContaining("403 SignatureDoesNotMatch")
        .hasMessageContaining("check the credentials")
        .hasMessageNotContaining("guessed-secret")
        .hasMessageNotContaining("AWS4-HMAC");
  }

  @Test
  void missingCredentialsAreToldHowToBeGiven() {
    AwsCredentialsProvider none =
        () -> {
          throw SdkClientException.create("Unable to load credentials");
        };

    assertThatThrownBy(() -> TestStore.open(TestStore.settings(bucket).credentials(none).build()))
        .isInstanceOf(StoreAccessException.class)
        .hasMessageContaining("set AWS_ACCESS_KEY_ID");
    assertThat(bucket.requests().count()).isZero();
  }

  @Test
  void aServerThatIsntThereIsUnavailable() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    S3Settings settings =
        TestStore.settings(bucket).endpoint(URI.create("http://127.0.0.1:" + port)).build();

    assertThatThrownBy(() -> TestStore.open(settings))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("http://127.0.0.1:" + port + " can't be reached")
        .hasMessageContaining("check the endpoint");
  }

  @Test
  void aServerWithoutAnAddressIsUnavailable() {
    S3Settings settings =
        TestStore.settings(bucket).endpoint(URI.create("http://nowhere.invalid")).build();

    assertThatThrownBy(() -> TestStore.open(settings))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("UnknownHostException");
  }

  private S3SettingsBuilder elsewhere(String name) {
    return S3Settings.builder(name)
        .endpoint(server.endpoint())
        .region(server.region())
        .credentials(TestStore.credentials(server));
  }

  /** Everything, also what the store itself doesn't list. */
  private static List<String> keysInBucket(S3Bucket bucket) {
    S3Settings root =
        TestStore.settings(bucket).prefix("").access(S3Settings.Access.READ_ONLY).build();
    try (S3Backend backend = TestStore.open(root)) {
      return backend.list(Listing.all("")).map(Listing.Entry::name).toList();
    }
  }
}
