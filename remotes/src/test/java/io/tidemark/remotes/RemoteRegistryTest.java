// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.Ref;
import io.tidemark.names.VersionPage;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.ObjectInfo;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteRegistryTest {

  private static final RemoteName BACKUP = new RemoteName("backup");

  private final SiteEnvironment siteEnvironment = new SiteEnvironment();
  private final Site here = siteEnvironment.site("here");
  private final Site there = siteEnvironment.site("there");
  private final Remotes remotes = here.remotes(there);

  @Test
  void remotesAreAddedListedAndRemoved() {
    remotes.add(RemoteName.ORIGIN, "s3://there");
    remotes.add(BACKUP, "s3://backup/x?region=eu-west-1");
    remotes.add(BACKUP, "s3://backup/x?region=eu-west-1"); // once more

    assertThat(remotes.list())
        .containsExactly(
            new Remote(BACKUP, "s3://backup/x?region=eu-west-1"),
            new Remote(RemoteName.ORIGIN, "s3://there"));
    assertThatThrownBy(() -> remotes.add(BACKUP, "s3://elsewhere"))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("s3://backup/x")
        .hasMessageContaining("remove it first");

    assertThat(remotes.remove(BACKUP)).isTrue();
    assertThat(remotes.remove(BACKUP)).isFalse();
    assertThat(remotes.list()).extracting(Remote::name).containsExactly(RemoteName.ORIGIN);
    assertThatThrownBy(() -> remotes.fetch(BACKUP))
        .isInstanceOf(UnknownRemoteException.class)
        .hasMessageContaining("remote add");
  }

  @Test
  void removingARemoteForgetsWhatWasFoundThereAndWhatFollowsIt() {
    there
        .names()
        .ledgers()
        .compareAndSetCommit(Address.parse("a/b:c/d"), Optional.empty(), Ref.of("x", 1));
    remotes.add(RemoteName.ORIGIN, "s3://there");
    remotes.add(BACKUP, "s3://there");
    remotes.fetch(RemoteName.ORIGIN);
    remotes.setUpstream(
        new Upstream(Address.parse("a/b:c/d"), RemoteName.ORIGIN, Address.parse("a/b:c/d")));
    remotes.setUpstream(new Upstream(Address.parse("z"), BACKUP, Address.parse("y")));
    assertThat(keys()).contains("ns-sync/remotes/origin/a%2Fb%3Ac%2Fd.json");

    remotes.remove(RemoteName.ORIGIN);

    assertThat(remotes.upstreams())
        .containsExactly(new Upstream(Address.parse("z"), BACKUP, Address.parse("y")));
    assertThat(keys())
        .containsExactly("ns-sync/config/backup.json", "ns-sync/upstreams/z%3Amain.json");
  }

  private List<String> keys() {
    try (Stream<ObjectInfo> found = here.store().list("ns-sync/")) {
      return found.map(ObjectInfo::key).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", ".", "..", "../x", "a/b", "a\\b", "a:b", "a%2Fb", "-a", ".a", "a\nb", "ä"
      })
  void aNameThatCouldBecomeAnotherPathIsRefused(String name) {
    assertThatThrownBy(() -> new RemoteName(name))
        .isInstanceOf(InvalidRemoteException.class)
        .hasMessageContaining("letters, digits");
  }

  @Test
  void aNameIsNotTooLong() {
    assertThat(new RemoteName("a".repeat(64)).text()).hasSize(64);
    assertThatThrownBy(() -> new RemoteName("a".repeat(65)))
        .isInstanceOf(InvalidRemoteException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://user:secret@host/x",
        "https://token@host",
        "s3://key:secret@bucket/prefix",
        "HTTP://u@h",
        "https://host/x?token=secret",
        "https://host/x#secret",
        "memory:",
        "",
        "a\nb"
      })
  void aLocationWithASecretOrOfNoStoreIsRefused(String location) {
    assertThatThrownBy(() -> remotes.add(RemoteName.ORIGIN, location))
        .isInstanceOf(InvalidLocationException.class)
        .message()
        .doesNotContain("secret");
    assertThat(keys()).isEmpty();
  }

  @Test
  void aPathIsKeptAsItIsFromEverywhere() {
    assertThat(remotes.add(RemoteName.ORIGIN, "some/../dir@home").location())
        .isEqualTo(Path.of("dir@home").toAbsolutePath().toString());
  }

  @Test
  void namesThatAreInNoObjectStoreHaveNoRemotes() {
    try (NameService names = new NameService(new MemoryNameBackend())) {
      assertThatThrownBy(() -> new Remotes(names))
          .isInstanceOf(InvalidLocationException.class)
          .hasMessageContaining("name one, as in dynamodb://table?objects=");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{\"schema_version\":2}",
        "{\"remote\":\"origin\",\"ledger_id\":\"other:main\"}",
        "{\"remote\":\"origin\",\"ledger_id\":\"a:b:c\"}",
        "{\"remote\":\"origin\",\"ledger_id\":\"mydb:main\",\"commit_head\":{\"id\":\"\",\"t\":1}}"
      })
  void whatMakesNoSenseIsPassedOverAndWrittenAnew(String text) {
    Address mydb = Address.parse("mydb");
    there.names().ledgers().compareAndSetCommit(mydb, Optional.empty(), Ref.of("x", 1));
    remotes.add(RemoteName.ORIGIN, "s3://there");
    for (String key :
        List.of("remotes/origin/mydb%3Amain", "upstreams/mydb%3Amain", "config/broken")) {
      here.store().put("ns-sync/" + key + ".json", Body.of(text), Condition.none());
    }

    assertThat(remotes.tracked(RemoteName.ORIGIN)).isEmpty();
    assertThat(remotes.upstream(mydb)).isEmpty();
    assertThat(remotes.upstreams()).isEmpty();
    assertThat(remotes.list()).extracting(Remote::name).containsExactly(RemoteName.ORIGIN);
    assertThat(remotes.fetch(RemoteName.ORIGIN).updated()).containsExactly(mydb);
    assertThat(remotes.tracked(RemoteName.ORIGIN))
        .singleElement()
        .matches(found -> found.commit().equals(Optional.of(Ref.of("x", 1))));
  }

  @Test
  void whatOthersKeepInADocumentStays() {
    Address mydb = Address.parse("mydb");
    there.names().ledgers().compareAndSetCommit(mydb, Optional.empty(), Ref.of("x", 1));
    remotes.add(RemoteName.ORIGIN, "s3://there");
    String key = "ns-sync/remotes/origin/mydb%3Amain.json";
    here.store()
        .put(
            key,
            Body.of("{\"remote\":\"origin\",\"ledger_id\":\"mydb:main\",\"more\":[1]}"),
            Condition.none());

    remotes.fetch(RemoteName.ORIGIN);

    assertThat(here.store().get(key).orElseThrow().text()).contains("\"more\":[1]", "\"t\":1");
  }

  @ParameterizedTest
  @EnumSource
  void theNamesDontNotice(DocumentLayout documentLayout) {
    Site site = here.with(documentLayout);
    try (NameService names = site.names()) {
      names.create(Address.parse("mydb"));
      List<NameRecord> before = list(names);
      VersionPage versionPage = names.listVersions("", Optional.empty());
      there.names().create(Address.parse("ns-sync/remotes/origin"));
      Remotes its = site.following(there);
      its.fetch(RemoteName.ORIGIN);
      its.setUpstream(
          new Upstream(Address.parse("mydb"), RemoteName.ORIGIN, Address.parse("mydb")));

      assertThat(keys()).hasSize(3);
      assertThat(list(names)).isEqualTo(before);
      assertThat(names.listVersions("", Optional.empty())).isEqualTo(versionPage);
      names.create(Address.parse("ns-sync/remotes"));
      assertThat(list(names)).hasSize(2);
      assertThat(its.tracked(RemoteName.ORIGIN)).hasSize(1);
      assertThat(its.list()).hasSize(1);
    }
  }

  private static List<NameRecord> list(NameService names) {
    try (Stream<NameRecord> records = names.list(RecordFilter.all())) {
      return records.toList();
    }
  }
}
