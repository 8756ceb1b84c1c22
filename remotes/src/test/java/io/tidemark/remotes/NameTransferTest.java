// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.RefusedException;
import io.tidemark.names.RetractedException;
import io.tidemark.names.SourceType;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.remotes.Remotes.RemoteSelector;
import io.tidemark.remotes.transfer.TransferOutcome.Created;
import io.tidemark.remotes.transfer.TransferOutcome.Diverged;
import io.tidemark.remotes.transfer.TransferOutcome.FastForwarded;
import io.tidemark.remotes.transfer.TransferOutcome.NoUpstream;
import io.tidemark.remotes.transfer.TransferOutcome.NotFound;
import io.tidemark.remotes.transfer.TransferOutcome.Rejected;
import io.tidemark.remotes.transfer.TransferOutcome.UpToDate;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names that have no ledger behind them, and graph sources: all there is are their heads. */
class NameTransferTest {

  private static final Ref C1 =
      Ref.of("bagaybqabciqgt7owe5vdp5pefl37aqc2efydwycvipiiqjbjqoweex5ijczysbq", 1);
  private static final Ref C5 =
      Ref.of("bagaybqabciqg7u3nfra7tdl3yepwx3tfpm3rsjthlprt75gdokpr3uzrvulwk4i", 5);
  private static final Ref I1 =
      Ref.of("baghybqabciqihyvmmno5fe6rsrwu2o7hxetnotfyaf32quh3jikpg5tdip2lpba", 4);
  private static final Address MYDB = Address.parse("mydb");

  private final SiteEnvironment siteEnvironment = new SiteEnvironment();
  private final Site here = siteEnvironment.site("here");
  private final Site there = siteEnvironment.site("there");
  private final NameService local = here.names();
  private final NameService remote = there.names();
  private final Remotes remotes = here.following(there);

  private static void put(NameService names, Ref head) {
    names.ledgers().compareAndSetCommit(MYDB, Optional.empty(), head);
  }

  @Test
  void case75_aFetchTellsWhatIsNew() {
    put(remote, C5);

    assertThat(remotes.fetch(RemoteName.ORIGIN))
        .isEqualTo(
            new FetchOutcome(
                RemoteName.ORIGIN, List.of(MYDB), List.of(), List.of(), Optional.empty()));
    assertThat(remotes.fetch(RemoteName.ORIGIN))
        .isEqualTo(
            new FetchOutcome(
                RemoteName.ORIGIN, List.of(), List.of(MYDB), List.of(), Optional.empty()));
    String text = here.store().get("ns-sync/remotes/origin/mydb%3Amain.json").orElseThrow().text();
    assertThat(text)
        .isEqualTo(
            "{\"commit_head\":{\"id\":\"%s\",\"t\":5},\"last_fetched\":\"%s\",\"ledger_id\":\"mydb:main\",\"remote\":\"origin\",\"retracted\":false,\"schema_version\":1}"
                .formatted(
                    C5.id().orElseThrow(), UtcTimestamp.format(siteEnvironment.clock().instant())));
    assertThat(local.find(MYDB)).as("local refs are left alone").isEmpty();
  }

  @Test
  void case75_aPullMovesForward() {
    put(remote, C5);
    put(local, C1);
    remotes.setUpstream(new Upstream(MYDB, RemoteName.ORIGIN, MYDB));

    assertThat(remotes.pull(MYDB, RemoteSelector.upstream()))
        .isEqualTo(new FastForwarded(C1, C5, 0, 0));
    assertThat(local.find(MYDB).orElseThrow().commit()).isEqualTo(C5);
    assertThat(remotes.pull(MYDB, RemoteSelector.upstream())).isEqualTo(new UpToDate(C5, C5));
  }

  @Test
  void case75_aNewerOneHereHasDiverged() {
    Ref c10 = Ref.of("c10", 10);
    put(remote, C5);
    put(local, c10);

    assertThat(remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new Diverged(c10, C5, Optional.empty()));
    assertThat(local.find(MYDB).orElseThrow().commit()).isEqualTo(c10);
  }

  @Test
  void anotherCommitOfTheSameNumberHasDiverged() {
    Ref other = Ref.of("another", 5);
    put(remote, C5);
    put(local, other);

    assertThat(remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new Diverged(other, C5, Optional.empty()));
  }

  @Test
  void case75_withoutAnUpstreamNothingIsPulledOrPushed() {
    put(local, C1);

    assertThat(remotes.pull(MYDB, RemoteSelector.upstream())).isEqualTo(new NoUpstream(MYDB));
    assertThat(remotes.push(MYDB, RemoteSelector.upstream())).isEqualTo(new NoUpstream(MYDB));
  }

  @Test
  void case75_whoHasntLookedIsRejected() {
    put(local, C5);
    put(remote, C1);

    assertThat(remotes.push(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new Rejected(C5, C1));
    assertThat(remotes.push(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .as("being rejected is no look")
        .isEqualTo(new Rejected(C5, C1));
    assertThat(remote.find(MYDB).orElseThrow().commit()).isEqualTo(C1);

    remotes.fetch(RemoteName.ORIGIN);
    assertThat(remotes.push(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new FastForwarded(C1, C5, 0, 0));
    assertThat(remote.find(MYDB).orElseThrow().commit()).isEqualTo(C5);
    assertThat(remotes.push(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new UpToDate(C5, C5));
    assertThat(remotes.fetch(RemoteName.ORIGIN).unchanged()).containsExactly(MYDB);
  }

  @Test
  void theFirstPullAndTheFirstPushCarryBothHeads() {
    put(remote, C5);
    remote.ledgers().publishIndex(MYDB, I1);

    assertThat(remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new Created(C5, 0, 0));
    assertThat(local.find(MYDB).orElseThrow().indexed()).isEqualTo(I1);

    Site third = siteEnvironment.site("third");
    assertThat(here.push(third, "mydb")).isEqualTo(new Created(C5, 0, 0));
    assertThat(third.names().find(MYDB).orElseThrow().indexed()).isEqualTo(I1);
  }

  @Test
  void bothHeadsAreCarriedOntoOneThatIsUnborn() {
    put(remote, C5);
    remote.ledgers().publishIndex(MYDB, I1);
    local.create(MYDB);

    assertThat(remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new FastForwarded(Ref.UNBORN, C5, 0, 0));
    assertThat(local.find(MYDB).orElseThrow().indexed()).isEqualTo(I1);
  }

  @Test
  void anIndexThatWasBuiltLaterFollows() {
    put(remote, C5);
    put(local, C5);
    remote.ledgers().publishIndex(MYDB, I1);

    assertThat(remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new UpToDate(C5, C5));
    assertThat(local.find(MYDB).orElseThrow().indexed()).isEqualTo(I1);
  }

  @Test
  void namesAreFetchedAndToldAFewAtATime() {
    List<Address> all =
        Stream.of("a", "a/b", "b", "c:dev", "c", "d").map(Address::parse).sorted().toList();
    all.forEach(address -> remote.create(address));
    remotes.fetch(RemoteName.ORIGIN);
    all.subList(3, 6).forEach(remote::purge);
    Address late = Address.parse("bb");
    remote.create(late);

    List<Address> unchanged = new ArrayList<>();
    List<Address> updated = new ArrayList<>();
    List<Address> pruned = new ArrayList<>();
    int pages = 0;
    Optional<Address> after = Optional.empty();
    do {
      FetchOutcome page = remotes.fetch(RemoteName.ORIGIN, new AddressRange(after, 2));
      unchanged.addAll(page.unchanged());
      updated.addAll(page.updated());
      pruned.addAll(page.pruned());
      after = page.last();
      pages++;
    } while (after.isPresent());
    assertThat(pages).isEqualTo(4);
    assertThat(unchanged).isEqualTo(all.subList(0, 3));
    assertThat(updated).containsExactly(late);
    assertThat(pruned).isEqualTo(all.subList(3, 6));

    Remotes.RemoteRefPage first =
        remotes.tracked(RemoteName.ORIGIN, new AddressRange(Optional.empty(), 3));
    assertThat(first.found()).extracting(RemoteRef::address).isEqualTo(all.subList(0, 3));
    assertThat(first.last()).contains(all.get(2));
    Remotes.RemoteRefPage second =
        remotes.tracked(RemoteName.ORIGIN, new AddressRange(first.last(), 3));
    assertThat(second.found()).extracting(RemoteRef::address).containsExactly(late);
    assertThat(second.last()).isEmpty();
  }

  @Test
  void whatIsPushedAfterAFetchHasLookedStaysKnown() {
    put(local, C1);
    assertThat(fetchThatHasLookedWhen(this::pushes).pruned()).as("made since").isEmpty();
    assertThat(known()).contains(C1);

    moveOn(C5);
    assertThat(fetchThatHasLookedWhen(this::pushes).unchanged())
        .as("moved since")
        .containsExactly(MYDB);
    assertThat(known()).contains(C5);

    here.store().delete("ns-sync/remotes/origin/mydb%3Amain.json");
    Runnable another =
        () -> {
          remotes.fetch(RemoteName.ORIGIN);
          moveOn(Ref.of("c6", 6));
          pushes();
        };
    assertThat(fetchThatHasLookedWhen(another).updated()).as("found since").containsExactly(MYDB);
    assertThat(known()).contains(Ref.of("c6", 6));

    remote.retract(MYDB);
    remote.purge(MYDB);
    moveOn(Ref.of("c7", 7));
    assertThat(fetchThatHasLookedWhen(this::pushes).pruned())
        .as("made again since")
        .containsExactly(MYDB);
    assertThat(known()).contains(Ref.of("c7", 7));
  }

  private void moveOn(Ref head) {
    Ref before = local.find(MYDB).orElseThrow().commit();
    assertThat(local.ledgers().compareAndSetCommit(MYDB, Optional.of(before), head).updated())
        .isTrue();
  }

  private void pushes() {
    assertThat(remotes.push(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isInstanceOfAny(Created.class, FastForwarded.class);
  }

  private Optional<Ref> known() {
    return remotes.tracked(RemoteName.ORIGIN).stream()
        .filter(found -> found.address().equals(MYDB))
        .findFirst()
        .flatMap(RemoteRef::commit);
  }

  /** A fetch that has looked, and hasn't written yet what it found, when something happens. */
  private FetchOutcome fetchThatHasLookedWhen(Runnable event) {
    ObjectBackend told =
        new ForwardingBackend(there.backend()) {
          @Override
          public void close() {
            event.run();
          }
        };
    Retry retry = siteEnvironment.time().retry();
    TransferOptions transferOptions =
        TransferOptions.standard()
            .withOpener(
                location ->
                    new NameService(
                        new ObjectNameBackend(
                            new ObjectStore(told, retry),
                            DocumentLayout.B,
                            retry,
                            siteEnvironment.clock()),
                        NameOptions.standard().withoutNotifications()));
    return new Remotes(local, transferOptions).fetch(RemoteName.ORIGIN);
  }

  @Test
  void whatIsGoneOrRetractedThereIsTold() {
    put(remote, C5);
    remotes.fetch(RemoteName.ORIGIN);
    remote.retract(MYDB);

    assertThat(remotes.fetch(RemoteName.ORIGIN).updated()).containsExactly(MYDB);
    assertThat(remotes.tracked(RemoteName.ORIGIN)).singleElement().matches(RemoteRef::retracted);
    assertThatThrownBy(() -> remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isInstanceOf(RetractedException.class)
        .hasMessageContaining("restore it");

    remote.purge(MYDB);
    assertThat(remotes.fetch(RemoteName.ORIGIN).pruned()).containsExactly(MYDB);
    assertThat(remotes.tracked(RemoteName.ORIGIN)).isEmpty();
    assertThat(remotes.pull(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isInstanceOfSatisfying(
            NotFound.class, found -> assertThat(found.address()).isEqualTo(MYDB));
  }

  @Test
  void aGraphSourceMovesByItsIndex() {
    Address text = Address.parse("text");
    SourceType type = SourceType.BM25;
    remote.graphSources().publish(text, type, Payload.parse("{\"k1\":1.2}"), List.of("mydb:main"));
    remote.graphSources().publishIndex(text, I1);

    assertThat(remotes.pull(text, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new Created(I1, 0, 0));
    assertThat(local.find(text).orElseThrow().config().payload().orElseThrow().toJson())
        .isEqualTo("{\"k1\":1.2}");
    assertThat(local.find(text).orElseThrow().meta().dependencies()).containsExactly("mydb:main");
    Ref next = Ref.of("next", 9);
    local.graphSources().publishIndex(text, next);
    assertThat(remotes.push(text, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new FastForwarded(I1, next, 0, 0));
    assertThat(remotes.pull(text, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new UpToDate(next, next));
    put(local, C1);
    assertThatThrownBy(() -> remotes.push(MYDB, RemoteSelector.at(RemoteName.ORIGIN, text)))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("graph source");
  }

  @Test
  void whereAServerHasItsObjectsIsNotLookedForHere() {
    remote.create(MYDB);
    remote.push(
        MYDB,
        Concern.CONFIG,
        Optional.of(ConcernValue.UNBORN),
        ConcernValue.of(1, Payload.parse("{\"ledger\":{\"objects\":\"/etc/\"}}")));
    RemoteName server = new RemoteName("server");
    Remotes over =
        new Remotes(local, TransferOptions.standard().withOpener(location -> there.names()));
    over.add(server, "https://host/x");

    assertThatThrownBy(() -> over.pull(MYDB, RemoteSelector.on(server)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("make that store a remote");
  }

  @Test
  void nobodyIsLedWhereHeMayNotGo() {
    String place = "s3://elsewhere/";
    for (NameService side : List.of(local, remote)) {
      side.create(MYDB);
    }
    RemoteName origin = RemoteName.ORIGIN;
    for (NameService led : List.of(local, remote)) {
      led.push(
          MYDB,
          Concern.CONFIG,
          Optional.of(ConcernValue.UNBORN),
          ConcernValue.of(1, Payload.parse("{\"ledger\":{\"objects\":\"" + place + "\"}}")));
      Remotes bound =
          new Remotes(
              local,
              TransferOptions.standard()
                  .withOpener(location -> there.names())
                  .withAllowedLocations(
                      (address, said) -> {
                        if (said.equals(place)) {
                          throw new RefusedException(address + " leads to " + said);
                        }
                      }));
      bound.add(origin, there.location());
      assertThatThrownBy(() -> bound.pull(MYDB, RemoteSelector.on(origin)))
          .hasMessage(MYDB + " leads to " + place);
      assertThatThrownBy(() -> bound.push(MYDB, RemoteSelector.on(origin)))
          .hasMessage(MYDB + " leads to " + place);
      led.push(
          MYDB,
          Concern.CONFIG,
          led.get(MYDB, Concern.CONFIG),
          ConcernValue.of(2, Payload.parse("{}")));
    }
  }
}
