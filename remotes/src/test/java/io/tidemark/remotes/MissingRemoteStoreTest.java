// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.objects.TidemarkException;
import io.tidemark.remotes.Remotes.RemoteSelector;
import io.tidemark.remotes.transfer.TransferOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Remotes in directories that are gone, or never were. */
class MissingRemoteStoreTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final Address OTHER = Address.parse("other");
  private static final Ref C1 = Ref.of("c1", 1);

  @TempDir private Path parent;
  private Path there;
  private NameService local;
  private Remotes remotes;

  @BeforeEach
  void open() {
    there = parent.resolve("there");
    local = NameService.open(parent.resolve("here").toString());
    remotes = new Remotes(local);
    remotes.add(RemoteName.ORIGIN, there.toString());
    local.ledgers().compareAndSetCommit(OTHER, Optional.empty(), C1);
  }

  @AfterEach
  void close() {
    local.close();
  }

  @Test
  void aRemoteThatIsGonePrunesNothing() throws IOException {
    fetchOne();
    Files.move(there, parent.resolve("away"));
    requireGone();
    Files.move(parent.resolve("away"), there);
    assertThat(remotes.fetch(RemoteName.ORIGIN).unchanged()).containsExactly(MYDB);
  }

  @Test
  void aMountPointWithoutItsDiskPrunesNothing() throws IOException {
    fetchOne();
    Files.move(there, parent.resolve("away"));
    Files.createDirectory(there);
    requireGone();
    assertThat(there).isEmptyDirectory();
  }

  @Test
  void namesThatWerePurgedInAStoreThatIsThereAreGone() {
    fetchOne();
    try (NameService remote = NameService.open(there.toString())) {
      remote.purge(MYDB);
    }
    assertThat(remotes.fetch(RemoteName.ORIGIN).pruned()).containsExactly(MYDB);
    assertThat(remotes.tracked(RemoteName.ORIGIN)).isEmpty();
  }

  @Test
  void aRemoteThatNeverWasCanBePushedToOnly() {
    requireUnavailable(() -> remotes.fetch(RemoteName.ORIGIN), "there is no store in");
    requireUnavailable(
        () -> remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)), "there is no store in");
    assertThat(there).doesNotExist();
    assertThat(remotes.push(OTHER, RemoteSelector.on(RemoteName.ORIGIN)))
        .isInstanceOf(TransferOutcome.Created.class);
    assertThat(remotes.fetch(RemoteName.ORIGIN).unchanged()).containsExactly(OTHER);
  }

  @Test
  void aCloneFromNowhereLeavesNoRemote() {
    RemoteName copy = new RemoteName("copy");
    requireUnavailable(
        () -> remotes.cloneLedger(copy, parent.resolve("typo").toString(), MYDB, MYDB),
        "there is no store in");
    assertThat(remotes.list()).extracting(Remote::name).containsExactly(RemoteName.ORIGIN);
  }

  private void fetchOne() {
    try (NameService remote = NameService.open(there.toString())) {
      remote.ledgers().compareAndSetCommit(MYDB, Optional.empty(), C1);
    }
    assertThat(remotes.fetch(RemoteName.ORIGIN).updated()).containsExactly(MYDB);
  }

  private void requireGone() {
    requireUnavailable(() -> remotes.fetch(RemoteName.ORIGIN), "is gone");
    requireUnavailable(() -> remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)), "is gone");
    requireUnavailable(() -> remotes.push(OTHER, RemoteSelector.on(RemoteName.ORIGIN)), "is gone");
    assertThat(remotes.tracked(RemoteName.ORIGIN))
        .extracting(RemoteRef::address)
        .containsOnly(MYDB);
  }

  private static void requireUnavailable(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TidemarkException.class, e -> assertThat(e.code()).isEqualTo("unavailable"))
        .hasMessageContaining(why);
  }
}
