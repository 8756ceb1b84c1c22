// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.Listing;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.s3.S3Backend;
import io.tidemark.objects.s3.S3Settings;
import io.tidemark.remotes.Remotes.RemoteSelector;
import io.tidemark.remotes.transfer.TransferOutcome;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Remotes below prefixes of a bucket that have no objects any more, or never had any. */
@ExtendWith(ServerExtension.class)
class S3GoneRemoteTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final Address OTHER = Address.parse("other");
  private static final Address THIRD = Address.parse("third");
  private static final Ref C1 = Ref.of("c1", 1);

  private final S3Bucket bucket;
  private final NameService local = names(new MemoryBackend());
  private final Remotes remotes;

  S3GoneRemoteTest(S3Server server) {
    this.bucket = server.createBucket();
    this.remotes =
        new Remotes(local, TransferOptions.standard().withOpener(location -> names(open())));
    remotes.add(RemoteName.ORIGIN, "s3://" + bucket.name() + "/data/store");
    local.ledgers().compareAndSetCommit(OTHER, Optional.empty(), C1);
  }

  private static NameService names(ObjectBackend backend) {
    return new NameService(
        new ObjectNameBackend(
            new ObjectStore(backend, Retry.standard()),
            DocumentLayout.B,
            Retry.standard(),
            Clock.systemUTC()));
  }

  private ObjectBackend open() {
    S3Server server = bucket.server();
    return S3Backend.open(
        S3Settings.builder(bucket.name())
            .prefix("data/store")
            .region(server.region())
            .endpoint(server.endpoint())
            .credentials(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(server.accessKey(), server.secretKey())))
            .build());
  }

  @AfterEach
  void close() {
    local.close();
  }

  private void make(Address... addresses) {
    try (NameService remote = names(open())) {
      for (Address address : addresses) {
        remote.ledgers().compareAndSetCommit(address, Optional.empty(), C1);
      }
    }
  }

  @Test
  void aPrefixThatWasEmptiedPrunesNothing() {
    make(MYDB);
    assertThat(remotes.fetch(RemoteName.ORIGIN).updated()).containsExactly(MYDB);
    try (ObjectBackend store = open()) {
      List<String> keys = store.list(Listing.all("")).map(Listing.Entry::name).toList();
      assertThat(keys).isNotEmpty();
      keys.forEach(key -> store.delete(key, Optional.empty()));
    }
    requireUnavailable(() -> remotes.fetch(RemoteName.ORIGIN), "is gone");
    requireUnavailable(() -> remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)), "is gone");
    requireUnavailable(() -> remotes.push(OTHER, RemoteSelector.on(RemoteName.ORIGIN)), "is gone");
    assertThat(remotes.tracked(RemoteName.ORIGIN))
        .extracting(RemoteRef::address)
        .containsOnly(MYDB);
    make(MYDB);
    assertThat(remotes.fetch(RemoteName.ORIGIN).pruned()).isEmpty();
  }

  @Test
  void namesThatWerePurgedAreGoneAlsoTheLastOne() {
    make(MYDB, THIRD);
    assertThat(remotes.fetch(RemoteName.ORIGIN).updated()).containsExactly(MYDB, THIRD);
    try (NameService remote = names(open())) {
      remote.purge(MYDB);
    }
    assertThat(remotes.fetch(RemoteName.ORIGIN).pruned()).containsExactly(MYDB);
    try (NameService remote = names(open())) {
      remote.purge(THIRD);
    }
    assertThat(remotes.fetch(RemoteName.ORIGIN).pruned())
        .as("the marker of the names is still there")
        .containsExactly(THIRD);
    assertThat(remotes.tracked(RemoteName.ORIGIN)).isEmpty();
  }

  @Test
  void aRemoteThatNeverWasCanBePushedToOnly() {
    requireUnavailable(() -> remotes.fetch(RemoteName.ORIGIN), "there is no store in");
    requireUnavailable(
        () -> remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)), "there is no store in");
    assertThat(remotes.push(OTHER, RemoteSelector.on(RemoteName.ORIGIN)))
        .isInstanceOf(TransferOutcome.Created.class);
    assertThat(remotes.fetch(RemoteName.ORIGIN).unchanged()).containsExactly(OTHER);
  }

  @Test
  void aCloneFromNowhereLeavesNoRemote() {
    RemoteName copy = new RemoteName("copy");
    requireUnavailable(
        () -> remotes.cloneLedger(copy, "s3://" + bucket.name() + "/typo", MYDB, MYDB),
        "there is no store in");
    assertThat(remotes.list()).extracting(Remote::name).containsExactly(RemoteName.ORIGIN);
  }

  private static void requireUnavailable(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TidemarkException.class, e -> assertThat(e.code()).isEqualTo("unavailable"))
        .hasMessageContaining(why);
  }
}
