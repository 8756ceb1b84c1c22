// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.remotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.Tidemark;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.InitRequest;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.api.remotes.CloneRequest;
import io.tidemark.api.remotes.FetchResult;
import io.tidemark.api.remotes.RemoteDetails;
import io.tidemark.api.remotes.RemoteDetails.Tracked;
import io.tidemark.api.remotes.RemoteLocation;
import io.tidemark.api.remotes.RemoteRequest;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.api.remotes.RemoteSummary;
import io.tidemark.api.remotes.RemoteSummary.Follower;
import io.tidemark.api.remotes.RemovedRemote;
import io.tidemark.api.remotes.TransferProgress;
import io.tidemark.api.remotes.TransferRequest;
import io.tidemark.api.remotes.TransferResult;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.objects.TidemarkException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract of the service of remotes, for every implementation of {@link RemoteService}. The other
 * store is a directory. A failure has the same code in process and over HTTP.
 */
public abstract class RemoteServiceContract {

  private static final String NOTES =
      "{\"entity\":\"Note\",\"key\":\"id\",\"fields\":{\"id\":\"string\"}}";

  @TempDir private Path directory;

  private Tidemark here;
  private Tidemark other;
  private RemoteService remotes;

  /** Returns the implementation on the store in a directory, which the contract closes. */
  protected abstract Tidemark open(Path store);

  @BeforeEach
  final void openStores() {
    here = open(directory.resolve("here"));
    other = Tidemark.open(there());
    remotes = here.remotes();
  }

  @AfterEach
  final void closeStores() {
    other.close();
    here.close();
  }

  private String there() {
    return directory.resolve("there").toString();
  }

  private static void commit(Tidemark tidemark, String id) {
    CommitRequest request =
        CommitRequest.of("Note", RowInput.of("{\"id\":\"" + id + "\"}"))
            .withSchema(Optional.of(WireJson.parse(NOTES)));
    assertThat(tidemark.ledger("crm").commit(request, read -> {}).commit()).isPresent();
  }

  private static void makeLedger(Tidemark tidemark) {
    assertThat(tidemark.ledgers().init(InitRequest.of("crm")).ledger()).isEqualTo("crm:main");
    commit(tidemark, "n1");
  }

  private static Ref name(Tidemark tidemark, String name, long t) {
    Ref head = Ref.of("c" + t, t);
    Payload payload = Payload.build(json -> json.put("id", "c" + t).put("t", t));
    tidemark.names().advance(Address.parse(name), Concern.HEAD, ConcernValue.of(t, payload));
    return head;
  }

  private static void fails(String code, ThrowingCallable operation) {
    assertThatExceptionOfType(TidemarkException.class)
        .isThrownBy(operation)
        .extracting(TidemarkException::code)
        .isEqualTo(code);
  }

  private TransferResult push(TransferRequest request) {
    return remotes.transfers().push(request, now -> {});
  }

  private TransferResult pull(TransferRequest request) {
    return remotes.transfers().pull(request, now -> {});
  }

  private static TransferRequest toOrigin(String local) {
    return TransferRequest.of(local).withRemote(Optional.of("origin"));
  }

  @Test
  void remotesAreAddedListedAndRemoved() {
    assertThat(remotes.list()).isEmpty();
    RemoteLocation origin = new RemoteLocation("origin", there());
    assertThat(remotes.add("origin", there())).isEqualTo(origin);
    assertThat(remotes.add("origin", there())).as("again").isEqualTo(origin);
    remotes.add("backup", "s3://bucket/prefix");

    assertThat(remotes.list())
        .containsExactly(
            new RemoteSummary("backup", "s3://bucket/prefix", List.of()),
            new RemoteSummary("origin", there(), List.of()));
    assertThat(remotes.get("origin"))
        .isEqualTo(new RemoteDetails("origin", there(), List.of(), List.of(), Optional.empty()));
    assertThat(remotes.remove("origin")).isEqualTo(new RemovedRemote("origin"));
    assertThat(remotes.list()).extracting(RemoteSummary::name).containsExactly("backup");
  }

  @Test
  void aRemoteThatCannotBeIsRefused() {
    remotes.add("origin", there());
    fails("already-exists", () -> remotes.add("origin", "/elsewhere"));
    fails("invalid-name", () -> remotes.add("-x", there()));
    fails("invalid-location", () -> remotes.add("x", "https://user:secret@host/"));
    assertThat(remotes.list()).containsExactly(new RemoteSummary("origin", there(), List.of()));
  }

  @Test
  void aRemoteThatIsUnknownIsNotFound() {
    fails("not-found", () -> remotes.get("nobody"));
    fails("not-found", () -> remotes.remove("nobody"));
    fails("not-found", () -> remotes.fetch("nobody"));
    TransferRequest request = TransferRequest.of("crm").withRemote(Optional.of("nobody"));
    fails("not-found", () -> push(request));
    fails("not-found", () -> pull(request));
  }

  @Test
  void aStoreThatIsNotThereIsUnavailable() {
    String missing = directory.resolve("missing").toString();
    remotes.add("origin", missing);
    fails("unavailable", () -> remotes.fetch("origin"));
    fails(
        "unavailable",
        () -> remotes.transfers().cloneLedger(CloneRequest.of(missing, "crm"), now -> {}));
  }

  @Test
  void namesAreFetchedInParts() {
    for (String each : List.of("a", "b", "c")) {
      other.names().create(Address.parse(each));
    }
    Ref head = name(other, "b", 2);
    remotes.add("origin", there());

    FetchResult first = remotes.fetch(new RemoteRequest("origin", 2, Optional.empty()));
    assertThat(first.updated()).containsExactly("a:main", "b:main");
    FetchResult second = remotes.fetch(new RemoteRequest("origin", 2, first.next()));
    assertThat(second)
        .isEqualTo(
            new FetchResult("origin", List.of("c:main"), List.of(), List.of(), Optional.empty()));
    assertThat(other.names().purge(Address.parse("a"))).isTrue();
    assertThat(remotes.fetch("origin"))
        .isEqualTo(
            new FetchResult(
                "origin",
                List.of(),
                List.of("b:main", "c:main"),
                List.of("a:main"),
                Optional.empty()));

    RemoteDetails part = remotes.get(new RemoteRequest("origin", 1, Optional.empty()));
    assertThat(part.tracked()).hasSize(1);
    Tracked tracked = part.tracked().get(0);
    assertThat(tracked.lastFetched()).isAfter(Instant.EPOCH);
    assertThat(tracked)
        .isEqualTo(
            new Tracked(
                "b:main", Optional.of(head), Optional.empty(), false, tracked.lastFetched()));
    RemoteDetails rest = remotes.get(new RemoteRequest("origin", 1, part.next()));
    assertThat(rest.tracked()).extracting(Tracked::address).containsExactly("c:main");
    assertThat(rest.next()).isEmpty();
    assertThat(remotes.get("origin").tracked())
        .extracting(Tracked::address)
        .containsExactly("b:main", "c:main");
  }

  @Test
  void aLedgerIsPushedAndPulled() {
    makeLedger(here);
    remotes.add("origin", there());
    assertThat(push(TransferRequest.of("crm")))
        .isEqualTo(new TransferResult.NoUpstream("crm:main"));

    assertThat(push(toOrigin("crm").withFollow(true)))
        .isInstanceOfSatisfying(
            TransferResult.Created.class,
            made -> {
              assertThat(made.local()).isEqualTo("crm:main");
              assertThat(made.remote()).isEqualTo("origin");
              assertThat(made.there()).isEqualTo("crm:main");
              assertThat(made.to().t()).isEqualTo(1);
              assertThat(made.commits()).isEqualTo(1);
              assertThat(made.bytes()).isPositive();
            });
    assertThat(remotes.list().get(0).upstreams())
        .containsExactly(new Follower("crm:main", "crm:main"));
    assertThat(push(TransferRequest.of("crm")))
        .isInstanceOfSatisfying(
            TransferResult.UpToDate.class,
            found -> {
              assertThat(found.localHead().t()).isEqualTo(1);
              assertThat(found.remoteHead()).isEqualTo(found.localHead());
            });

    commit(other, "n2");
    assertThat(pull(TransferRequest.of("crm")))
        .isInstanceOfSatisfying(
            TransferResult.FastForwarded.class,
            moved -> {
              assertThat(moved.from().t()).isEqualTo(1);
              assertThat(moved.to().t()).isEqualTo(2);
              assertThat(moved.commits()).isEqualTo(1);
              assertThat(moved.bytes()).isPositive();
            });

    commit(here, "here");
    commit(other, "there");
    assertThat(push(TransferRequest.of("crm")))
        .isInstanceOfSatisfying(
            TransferResult.Diverged.class,
            both -> {
              assertThat(both.localHead().t()).isEqualTo(3);
              assertThat(both.remoteHead().t()).isEqualTo(3);
              assertThat(both.remoteHead()).isNotEqualTo(both.localHead());
              assertThat(both.common().orElseThrow().t()).isEqualTo(2);
            });
  }

  @Test
  void whatIsNotThereIsNotPulled() {
    makeLedger(other);
    remotes.add("origin", there());
    assertThat(pull(toOrigin("x").withThere(Optional.of("y:dev"))))
        .isInstanceOfSatisfying(
            TransferResult.NotFound.class,
            missing -> {
              assertThat(missing.local()).isEqualTo("x:main");
              assertThat(missing.remote()).isEqualTo("origin");
              assertThat(missing.there()).isEqualTo("y:dev");
              assertThat(missing.address()).isEqualTo("y:dev");
              assertThat(missing.location()).isEqualTo(other.location());
            });
    assertThat(here.names().find(Address.parse("x"))).isEmpty();
  }

  @Test
  void aNameThatMovedUnseenIsNotReplaced() {
    here.names().create(Address.parse("n"));
    other.names().create(Address.parse("n"));
    Ref ours = name(here, "n", 2);
    Ref theirs = name(other, "n", 1);
    remotes.add("origin", there());

    assertThat(push(toOrigin("n")))
        .isEqualTo(new TransferResult.Rejected("n:main", "origin", "n:main", ours, theirs));
    remotes.fetch("origin");
    assertThat(push(toOrigin("n")))
        .isEqualTo(
            new TransferResult.FastForwarded("n:main", "origin", "n:main", theirs, ours, 0, 0));
  }

  @Test
  void aCloneFollowsItsOriginAndTellsItsProgress() {
    makeLedger(other);
    commit(other, "n2");
    CloneRequest request =
        CloneRequest.of(there(), "crm")
            .withLocal(Optional.of("copy"))
            .withOrigin(Optional.of("main-site"));
    List<TransferProgress> told = new ArrayList<>();

    TransferResult result = remotes.transfers().cloneLedger(request, told::add);

    assertThat(result)
        .isInstanceOfSatisfying(
            TransferResult.Created.class,
            made -> {
              assertThat(made.local()).isEqualTo("copy:main");
              assertThat(made.remote()).isEqualTo("main-site");
              assertThat(made.there()).isEqualTo("crm:main");
              assertThat(made.commits()).isEqualTo(2);
            });
    assertThat(told.get(0)).isEqualTo(TransferProgress.none());
    assertThat(told).isSortedAccordingTo(Comparator.comparingLong(TransferProgress::commits));
    TransferProgress last = told.get(told.size() - 1);
    assertThat(last.commits()).isEqualTo(2);
    assertThat(last.ofCommits()).isEqualTo(2);
    assertThat(last.bytes()).isPositive();
    assertThat(remotes.list())
        .containsExactly(
            new RemoteSummary(
                "main-site", there(), List.of(new Follower("copy:main", "crm:main"))));
    assertThat(remotes.transfers().cloneLedger(request, told::add))
        .isInstanceOf(TransferResult.UpToDate.class);
    CloneRequest elsewhere = request.withLocation(directory.resolve("here").toString());
    fails("already-exists", () -> remotes.transfers().cloneLedger(elsewhere, told::add));
  }
}
