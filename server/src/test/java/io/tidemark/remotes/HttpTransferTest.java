// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static io.tidemark.remotes.NoteTypes.author;
import static io.tidemark.remotes.NoteTypes.note;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.tidemark.ledger.internal.branch.MergeOutcome;
import io.tidemark.names.Address;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.remotes.transfer.TransferOutcome.Created;
import io.tidemark.remotes.transfer.TransferOutcome.Diverged;
import io.tidemark.remotes.transfer.TransferOutcome.FastForwarded;
import io.tidemark.remotes.transfer.TransferOutcome.UpToDate;
import io.tidemark.server.ConnectionBreakingProxy;
import io.tidemark.server.ConnectionBreakingProxy.Break;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pushed to a server, pulled and cloned from it. */
class HttpTransferTest {

  private static final boolean SOAK = Boolean.getBoolean("soak");

  /** Servers that stop, which takes them a second. */
  private final List<CompletableFuture<Void>> closing = new ArrayList<>();

  @TempDir private Path directory;

  @AfterEach
  void awaitClosed() {
    closing.forEach(CompletableFuture::join);
  }

  private static Site site(String name, ObjectBackend backend) {
    return new Site(name, backend, Retry.standard(), TransferContract.options(name));
  }

  private Site directory(String name) {
    return site(name, DirectoryBackend.open(directory.resolve(name), Durability.PAGE_CACHE));
  }

  private static Site memory(String name) {
    return site(name, new MemoryBackend());
  }

  private static void areEqual(Site here, Site there, String address) {
    assertThat(there.account(address)).isEqualTo(here.account(address));
    assertThat(there.head(address)).isEqualTo(here.head(address));
    here.isSound(address);
    there.isSound(address);
  }

  @Test
  void fromADirectoryToAServerAndBack() {
    Site here = directory("here");
    try (ServedSite servedSite = new ServedSite(directory("there"))) {
      Site there = servedSite.site();
      here.init("crm");
      here.commit("crm", note("n1", "one"), author("a1"));
      assertThat(here.push(there, "crm")).isInstanceOf(Created.class);
      there.commit("crm", note("n2", "on the server"));
      assertThat(here.pull(there, "crm")).isInstanceOf(FastForwarded.class);
      here.branch("crm", "dev");
      here.commit("crm:dev", note("d1", "on dev"));
      assertThat(here.push(there, "crm:dev")).isInstanceOf(Created.class);
      areEqual(here, there, "crm:dev");
      assertThat(here.push(there, "crm")).isInstanceOf(UpToDate.class);
      assertThat(memory("third").cloneOf(there, "crm")).isInstanceOf(Created.class);
    }
  }

  @Test
  void twoClonesThatDivergeAreToldAndMergeThroughABranch() {
    try (ServedSite servedSite = new ServedSite(memory("there"))) {
      Site there = servedSite.site();
      there.init("crm");
      there.commit("crm", note("n1", "one"));
      Site here = memory("here");
      Site other = memory("other");
      here.cloneOf(there, "crm");
      other.cloneOf(there, "crm");
      other.commit("crm", note("o1", "of the other"));
      here.commit("crm", note("h1", "of ours"));
      assertThat(other.push(there, "crm")).isInstanceOf(FastForwarded.class);
      List<String> before = there.account("crm");

      assertThat(here.push(there, "crm"))
          .isInstanceOfSatisfying(
              Diverged.class, told -> assertThat(told.common().orElseThrow().t()).isEqualTo(1));
      assertThat(there.account("crm")).isEqualTo(before);
      here.pull(there, "crm", "crm:theirs");
      assertThat(here.merge("crm:theirs", "main")).isInstanceOf(MergeOutcome.Merged.class);
      assertThat(here.push(there, "crm:theirs", "crm")).isInstanceOf(FastForwarded.class);
      assertThat(other.pull(there, "crm")).isInstanceOf(FastForwarded.class);
      areEqual(other, there, "crm");
      assertThat(there.account("crm"))
          .anyMatch(line -> line.contains("of the other"))
          .anyMatch(line -> line.contains("of ours"));
    }
  }

  private String token(TokenFile file, String name, String... grants) {
    List<Grant> all = Arrays.stream(grants).flatMap(g -> Grant.parse(g).stream()).toList();
    TokenRecord.NewToken newToken = TokenRecord.create(name, all, Instant.now(), Optional.empty());
    file.add(newToken.token());
    return newToken.secret();
  }

  private static List<String> keys(Site site) {
    try (Stream<ObjectInfo> found = site.store().list("")) {
      return found.map(info -> info.key() + " " + info.etag()).toList();
    }
  }

  @Test
  void whoMayOnlyReadClonesAndIsToldBeforeAnythingIsCopiedThatHeMayNotPush() {
    Path tokens = directory.resolve("tokens");
    TokenFile file = new TokenFile(tokens);
    String reader = token(file, "reader", "read:names/crm");
    String writer = token(file, "writer", "read,write:names/crm");
    Site place = memory("there");
    try (ServedSite servedSite =
        new ServedSite(place, AccessControl.of(AccessSettings.none().withTokens(tokens)))) {
      Site writing = servedSite.as(writer);
      Site reading = servedSite.as(reader);
      Site here = memory("here");
      here.init("crm");
      here.commit("crm", note("n1", "one"));
      assertThatThrownBy(() -> here.push(reading, "crm")).isInstanceOf(StoreAccessException.class);
      assertThat(keys(place)).as("a first push leaves nothing").isEmpty();
      assertThat(here.push(writing, "crm")).isInstanceOf(Created.class);

      Site clone = memory("clone");
      assertThat(clone.cloneOf(reading, "crm")).isInstanceOf(Created.class);
      areEqual(clone, writing, "crm");
      Remotes remotes = clone.remotes(reading);
      assertThat(remotes.fetch(RemoteName.ORIGIN).unchanged())
          .containsExactly(Address.parse("crm"));
      clone.commit("crm", note("n2", "two"));
      clone.branch("crm", "dev");
      clone.commit("crm:dev", note("d1", "on dev"));
      List<String> before = keys(place);
      for (String address : List.of("crm", "crm:dev")) {
        assertThatThrownBy(() -> clone.push(reading, address))
            .isInstanceOf(StoreAccessException.class)
            .hasMessageContaining("write");
      }
      assertThatThrownBy(() -> here.push(writing, "crm", "other"))
          .as("a name that isn't granted")
          .isInstanceOf(TidemarkException.class);
      assertThat(keys(place)).isEqualTo(before);
      assertThat(clone.push(writing, "crm")).isInstanceOf(FastForwarded.class);
    }
  }

  static List<TransferOperation> deeds() {
    return SOAK ? List.of(TransferOperation.values()) : List.of(TransferOperation.PUSH);
  }

  /** Each request in a soak; else some. */
  @ParameterizedTest
  @MethodSource("deeds")
  void whicheverRequestIsTheLastItIsCompletedByDoingItAgain(TransferOperation transferOperation)
      throws IOException {
    int requests = broken(transferOperation, Integer.MAX_VALUE);
    assertThat(requests).isBetween(20, 300);
    int step = SOAK ? 1 : requests / 2;
    for (int last = 1 + step / 2; last < requests; last += step) {
      try {
        broken(transferOperation, last);
      } catch (AssertionError | RuntimeException e) {
        fail("request " + last + " is the last", e);
      }
    }
  }

  /** Does it over a connection that ends for good, does it again, and says how many it took. */
  private int broken(TransferOperation transferOperation, int last) throws IOException {
    SiteEnvironment siteEnvironment =
        new SiteEnvironment(); // in whose time the lock of who is gone ends at once
    ServedSite servedSite = new ServedSite(siteEnvironment.site("there"));
    try {
      return broken(transferOperation, last, siteEnvironment, servedSite);
    } finally {
      closing.add(CompletableFuture.runAsync(servedSite::close));
    }
  }

  private static int broken(
      TransferOperation transferOperation,
      int last,
      SiteEnvironment siteEnvironment,
      ServedSite servedSite)
      throws IOException {
    Site here = siteEnvironment.site("here");
    try (ConnectionBreakingProxy proxy = new ConnectionBreakingProxy(servedSite.address())) {
      Site there = servedSite.site();
      transferOperation.prepare(here, there);
      List<String> before = told(transferOperation, here, there);
      AtomicInteger requests = new AtomicInteger();
      // The answer to the last is lost, and nothing gets there any more.
      proxy.always(line -> requests.incrementAndGet() > last, Break.BEFORE);
      proxy.next(line -> requests.get() == last, Break.BEFORE_THE_ANSWER);
      try {
        transferOperation.perform(
            here, servedSite.through(proxy.address(), siteEnvironment.time().retry()));
      } catch (TidemarkException e) {
        assertThat(requests.get()).as(e.toString()).isGreaterThanOrEqualTo(last);
      }
      List<String> after =
          transferOperation.source(here, there).account(transferOperation.address());
      assertThat(Site.committed(told(transferOperation, here, there)))
          .isIn(Site.committed(before), Site.committed(after));
      assertThat(transferOperation.perform(here, there))
          .isInstanceOfAny(Created.class, FastForwarded.class, UpToDate.class);
      areEqual(here, there, transferOperation.address());
      return requests.get();
    }
  }

  private static List<String> told(TransferOperation transferOperation, Site here, Site there) {
    Site target = transferOperation.target(here, there);
    return target.has(transferOperation.address()) && target.hasLedger(transferOperation.address())
        ? target.account(transferOperation.address())
        : List.of();
  }
}
