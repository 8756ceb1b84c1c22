// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static io.tidemark.remotes.NoteTypes.note;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.dynamodb.DynamoDbNameBackend;
import io.tidemark.names.dynamodb.DynamoDbSettings;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.remotes.Remotes.RemoteSelector;
import io.tidemark.remotes.transfer.TransferOutcome.Created;
import io.tidemark.remotes.transfer.TransferOutcome.FastForwarded;
import io.tidemark.remotes.transfer.TransferOutcome.UpToDate;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Names on DynamoDB, with all else in a directory beside them: on either side. */
@ExtendWith(ServerExtension.class)
class DynamoDbTransferTest {

  private final DynamoDbServer server;

  @TempDir private Path directory;

  DynamoDbTransferTest(DynamoDbServer server) {
    this.server = server;
  }

  private Site directory(String name) {
    return directory(directory, name);
  }

  private Site dynamoDb(String name) {
    return site(server, directory, name);
  }

  private static Site directory(Path directory, String name) {
    return new Site(
        name,
        DirectoryBackend.open(directory.resolve(name), Durability.PAGE_CACHE),
        Retry.standard(),
        TransferContract.options(name));
  }

  /** Names in a table of their own, with a directory beside them. */
  static Site site(DynamoDbServer server, Path directory, String name) {
    AwsBasicCredentials credentials =
        AwsBasicCredentials.create(server.accessKey(), server.secretKey());
    DynamoDbSettings settings =
        DynamoDbSettings.parse(
                "dynamodb://%s?endpoint=%s&create=true&objects=%s"
                    .formatted(server.freshTableName(), server.endpoint(), directory.resolve(name)))
            .withCredentials(Optional.of(StaticCredentialsProvider.create(credentials)));
    return directory(directory, name)
        .behind(
            new Site.Server(
                settings.location(), () -> new NameService(new DynamoDbNameBackend(settings))));
  }

  @Test
  void theyHaveRemotesAndAreSome() {
    Site here = dynamoDb("here");
    Site there = directory("there");
    there.init("crm");
    there.commit("crm", note("n1", "one"));

    assertThat(here.cloneOf(there, "crm")).isInstanceOf(Created.class);
    assertThat(directory.resolve("here/ns-sync/config/origin.json")).exists();
    there.commit("crm", note("n2", "two"));
    Remotes remotes = here.remotes(there);
    Address crm = Address.parse("crm");
    assertThat(remotes.fetch(RemoteName.ORIGIN).updated()).containsExactly(crm);
    assertThat(remotes.pull(crm, RemoteSelector.upstream())).isInstanceOf(FastForwarded.class);
    here.commit("crm", note("n3", "three"));
    assertThat(remotes.push(crm, RemoteSelector.upstream())).isInstanceOf(FastForwarded.class);
    assertThat(there.account("crm")).isEqualTo(here.account("crm"));
    here.isSound("crm");
    assertThat(here.own().find(crm)).as("names aren't in the directory").isEmpty();

    Site third = dynamoDb("third");
    assertThat(there.push(third, "crm"))
        .as("made in the other's store")
        .isInstanceOf(Created.class);
    assertThat(third.account("crm")).isEqualTo(there.account("crm"));
    assertThat(third.pull(here, "crm")).isInstanceOf(UpToDate.class);
  }
}
