// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static io.tidemark.remotes.NoteTypes.author;
import static io.tidemark.remotes.NoteTypes.note;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.objects.s3.S3Backend;
import io.tidemark.objects.s3.S3Settings;
import io.tidemark.remotes.transfer.TransferOutcome.Created;
import io.tidemark.remotes.transfer.TransferOutcome.Diverged;
import io.tidemark.remotes.transfer.TransferOutcome.FastForwarded;
import io.tidemark.remotes.transfer.TransferOutcome.UpToDate;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Between a directory and S3, in both directions. */
@ExtendWith(ServerExtension.class)
class S3TransferTest {

  private final S3Server server;
  private Site here;
  private Site s3;

  S3TransferTest(S3Server server) {
    this.server = server;
  }

  @BeforeEach
  void openBoth(@TempDir Path directory) {
    here = site("here", DirectoryBackend.open(directory, Durability.PAGE_CACHE));
    s3 = site("there", bucket(server));
  }

  private static Site site(String name, ObjectBackend backend) {
    return new Site(name, backend, Retry.standard(), TransferContract.options(name));
  }

  static ObjectBackend bucket(S3Server server) {
    AwsBasicCredentials credentials =
        AwsBasicCredentials.create(server.accessKey(), server.secretKey());
    return S3Backend.open(
        S3Settings.builder(server.createBucket().name())
            .prefix("data/store")
            .region(server.region())
            .endpoint(server.endpoint())
            .credentials(StaticCredentialsProvider.create(credentials))
            .build());
  }

  private void areEqual(String address) {
    assertThat(s3.account(address)).isEqualTo(here.account(address));
    assertThat(s3.head(address)).isEqualTo(here.head(address));
    here.isSound(address);
    s3.isSound(address);
  }

  @Test
  void fromADirectoryToS3AndBack() {
    here.init("crm");
    here.commit("crm", note("n1", "one"), author("a1"));
    here.commit("crm", note("n1", "two"));

    assertThat(here.push(s3, "crm")).isInstanceOf(Created.class);
    areEqual("crm");
    s3.commit("crm", note("n2", "on S3"));
    assertThat(here.pull(s3, "crm")).isInstanceOf(FastForwarded.class);
    here.branch("crm", "dev");
    here.commit("crm:dev", note("d1", "on dev"));
    assertThat(here.push(s3, "crm:dev")).isInstanceOf(Created.class);
    areEqual("crm:dev");
    s3.commit("crm", note("n3", "on main"));
    s3.merge("crm", "dev");
    assertThat(here.pull(s3, "crm")).isInstanceOf(FastForwarded.class);
    areEqual("crm");
    assertThat(here.push(s3, "crm")).isInstanceOf(UpToDate.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"PUSH", "PULL"})
  void onS3ADeathIsOvercomeToo(TransferOperation transferOperation) {
    int every = Boolean.getBoolean("soak") ? 1 : 45;
    InterruptionTest.dieOverAndOver(
        transferOperation,
        CrashInjector.CrashPoint.DIES_BEFORE,
        every,
        () ->
            InterruptionTest.sea(transferOperation)
                .copyTo(
                    name ->
                        name.equals("there")
                            ? bucket(server)
                            : new MemoryBackend(Clock.systemUTC())));
  }

  @Test
  void fromS3ToADirectoryAndBack() {
    s3.init("crm");
    s3.commit("crm", note("n1", "one"), author("a1"));

    assertThat(here.cloneOf(s3, "crm")).isInstanceOf(Created.class);
    areEqual("crm");
    here.commit("crm", note("h1", "here"));
    assertThat(here.push(s3, "crm")).isInstanceOf(FastForwarded.class);
    areEqual("crm");
    assertThat(s3.pull(here, "crm")).as("asked from the other side").isInstanceOf(UpToDate.class);
    here.commit("crm", note("h2", "here"));
    s3.commit("crm", note("s1", "on S3"));
    assertThat(here.pull(s3, "crm"))
        .isInstanceOfSatisfying(
            Diverged.class, told -> assertThat(told.common().orElseThrow().t()).isEqualTo(2));
  }
}
