// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static io.tidemark.remotes.Notes.author;
import static io.tidemark.remotes.Notes.note;
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
import io.tidemark.remotes.transfer.Outcome.Created;
import io.tidemark.remotes.transfer.Outcome.Diverged;
import io.tidemark.remotes.transfer.Outcome.FastForwarded;
import io.tidemark.remotes.transfer.Outcome.UpToDate;
import io.tidemark.server.BreakingProxy;
import io.tidemark.server.BreakingProxy.Break;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.Token;
import io.tidemark.server.access.TokenFile;
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
    try (Served served = new Served(directory("there"))) {
      Site there = served.site();
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
    try (Served served = new Served(memory("there"))) {
      Site there = served.site();
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
    Token.Fresh fresh = Token.create(name, all, Instant.now(), Optional.empty());
    file.add(fresh.token());
    return fresh.secret();
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
    try (Served served = new Served(place, Gate.of(AccessSettings.none().withTokens(tokens)))) {
      Site writing = served.as(writer);
      Site reading = served.as(reader);
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

  static List<Deed> deeds() {
    return SOAK ? List.of(Deed.values()) : List.of(Deed.PUSH);
  }

  /** Each request in a soak; else some. */
  @ParameterizedTest
  @MethodSource("deeds")
  void whicheverRequestIsTheLastItIsCompletedByDoingItAgain(Deed deed) throws IOException {
    int requests = broken(deed, Integer.MAX_VALUE);
    assertThat(requests).isBetween(20, 300);
    int step = SOAK ? 1 : requests / 2;
    for (int last = 1 + step / 2; last < requests; last += step) {
      try {
        broken(deed, last);
      } catch (AssertionError | RuntimeException e) {
        fail("request " + last + " is the last", e);
      }
    }
  }

  /** Does it over a connection that ends for good, does it again, and says how many it took. */
  private int broken(Deed deed, int last) throws IOException {
    Sea sea = new Sea(); // in whose time the lock of who is gone ends at once
    Served served = new Served(sea.site("there"));
    try {
      return broken(deed, last, sea, served);
    } finally {
      closing.add(CompletableFuture.runAsync(served::close));
    }
  }

  private static int broken(Deed deed, int last, Sea sea, Served served) throws IOException {
    Site here = sea.site("here");
    try (BreakingProxy proxy = new BreakingProxy(served.address())) {
      Site there = served.site();
      deed.prepare(here, there);
      List<String> before = told(deed, here, there);
      AtomicInteger requests = new AtomicInteger();
      // The answer to the last is lost, and nothing gets there any more.
      proxy.always(line -> requests.incrementAndGet() > last, Break.BEFORE);
      proxy.next(line -> requests.get() == last, Break.BEFORE_THE_ANSWER);
      try {
        deed.perform(here, served.through(proxy.address(), sea.time().retry()));
      } catch (TidemarkException e) {
        assertThat(requests.get()).as(e.toString()).isGreaterThanOrEqualTo(last);
      }
      List<String> after = deed.source(here, there).account(deed.address());
      assertThat(Site.committed(told(deed, here, there)))
          .isIn(Site.committed(before), Site.committed(after));
      assertThat(deed.perform(here, there))
          .isInstanceOfAny(Created.class, FastForwarded.class, UpToDate.class);
      areEqual(here, there, deed.address());
      return requests.get();
    }
  }

  private static List<String> told(Deed deed, Site here, Site there) {
    Site target = deed.target(here, there);
    return target.has(deed.address()) && target.hasLedger(deed.address())
        ? target.account(deed.address())
        : List.of();
  }
}
