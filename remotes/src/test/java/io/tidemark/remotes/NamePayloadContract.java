// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.remotes.Remotes.RemoteSelector;
import io.tidemark.remotes.transfer.Direction;
import io.tidemark.remotes.transfer.TransferOutcome;
import io.tidemark.remotes.transfer.TransferOutcome.Created;
import io.tidemark.remotes.transfer.TransferOutcome.Diverged;
import io.tidemark.remotes.transfer.TransferOutcome.FastForwarded;
import io.tidemark.remotes.transfer.TransferOutcome.Rejected;
import io.tidemark.remotes.transfer.TransferOutcome.UpToDate;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transfer of names without a ledger between two stores: payloads arrive as they are. */
abstract class NamePayloadContract {

  private static final Address MYDB = Address.parse("mydb");
  private static final Address TEXT = Address.parse("text");
  private static final Ref C5 = Ref.of("c5", 5);

  private static final ConcernValue HEAD =
      value(5, "{\"id\":\"c5\",\"t\":5,\"by\":{\"who\":\"ann\"},\"n\":1.5}");
  private static final ConcernValue INDEX =
      value(
          5,
          "{\"default\":{\"id\":\"i5\",\"t\":5,\"rev\":3,\"size\":12345678901234567890},"
              + "\"text\":{\"id\":\"j4\",\"t\":4,\"rev\":1},\"builder\":[\"x\",null]}");

  private NameService local;
  private NameService remote;
  private Remotes remotes;

  /** A place of its own for each; the test works at {@code here}. */
  abstract Site site(String name);

  @BeforeEach
  void open() {
    Site here = site("here");
    Site there = site("there");
    local = here.names();
    remote = there.names();
    remotes = here.following(there);
  }

  @AfterEach
  void close() {
    local.close();
    remote.close();
  }

  private static ConcernValue value(long t, String json) {
    return ConcernValue.of(t, Payload.parse(json));
  }

  private NameService source(Direction direction) {
    return direction == Direction.PUSH ? local : remote;
  }

  private NameService target(Direction direction) {
    return direction == Direction.PUSH ? remote : local;
  }

  private TransferOutcome move(Direction direction, Address address) {
    RemoteSelector origin = RemoteSelector.on(RemoteName.ORIGIN);
    return direction == Direction.PUSH
        ? remotes.push(address, origin)
        : remotes.pull(address, origin);
  }

  private static void head(NameService names, ConcernValue next) {
    push(names, MYDB, Concern.HEAD, next);
  }

  private static void index(NameService names, ConcernValue next) {
    push(names, MYDB, Concern.INDEX, next);
  }

  private static void push(NameService names, Address at, Concern concern, ConcernValue next) {
    assertThat(names.push(at, concern, names.get(at, concern), next).updated()).isTrue();
  }

  private static NameRecord record(NameService names, Address address) {
    return names.find(address).orElseThrow();
  }

  private void areEqual(Address address) {
    NameRecord here = record(local, address);
    NameRecord there = record(remote, address);
    assertThat(there.head()).isEqualTo(here.head());
    assertThat(there.index()).isEqualTo(here.index());
  }

  @ParameterizedTest
  @EnumSource
  void aNewNameHasAllThatHeadAndIndexSay(Direction direction) {
    head(source(direction), HEAD);
    index(source(direction), INDEX);

    assertThat(move(direction, MYDB)).isEqualTo(new Created(C5, 0, 0));
    assertThat(record(target(direction), MYDB).head()).isEqualTo(HEAD);
    assertThat(record(target(direction), MYDB).index()).isEqualTo(INDEX);
    assertThat(move(direction, MYDB)).isEqualTo(new UpToDate(C5, C5));
  }

  @ParameterizedTest
  @EnumSource
  void aHeadThatMovesOnHasAllThatItSays(Direction direction) {
    head(source(direction), HEAD);
    index(source(direction), INDEX);
    move(direction, MYDB);
    Ref c6 = Ref.of("c6", 6);
    ConcernValue head = value(6, "{\"id\":\"c6\",\"t\":6,\"by\":null}");
    ConcernValue index = value(6, "{\"text\":{\"id\":\"j6\",\"t\":6},\"default\":null}");
    head(source(direction), head);
    index(source(direction), index);

    assertThat(move(direction, MYDB)).isEqualTo(new FastForwarded(C5, c6, 0, 0));
    assertThat(record(target(direction), MYDB).head()).isEqualTo(head);
    assertThat(record(target(direction), MYDB).index()).isEqualTo(index);
  }

  @ParameterizedTest
  @EnumSource
  void anIndexWithoutADefaultGraphIsCarried(Direction direction) {
    head(source(direction), HEAD);
    move(direction, MYDB);
    index(source(direction), value(5, "{\"text\":{\"id\":\"j5\",\"t\":5,\"rev\":0}}"));

    assertThat(move(direction, MYDB)).isEqualTo(new UpToDate(C5, C5));
    areEqual(MYDB);
    index(source(direction), value(5, "{\"text\":{\"id\":\"other\",\"t\":5,\"rev\":0}}"));
    assertThat(move(direction, MYDB)).isEqualTo(new UpToDate(C5, C5));
    areEqual(MYDB);
  }

  @ParameterizedTest
  @EnumSource
  void graphsThatOnlyTheTargetHasStay(Direction direction) {
    String graph = "{\"id\":\"i%1$d\",\"t\":%1$d,\"rev\":0}";
    String other = "\"text\":{\"id\":\"j5\",\"t\":5,\"rev\":0}";
    head(source(direction), HEAD);
    move(direction, MYDB);
    index(source(direction), value(5, "{\"default\":" + graph.formatted(5) + "}"));
    ConcernValue both = value(5, "{\"default\":" + graph.formatted(5) + "," + other + "}");
    index(target(direction), both);

    assertThat(move(direction, MYDB)).isEqualTo(new UpToDate(C5, C5));
    assertThat(record(target(direction), MYDB).index()).isEqualTo(both);
    head(source(direction), value(6, "{\"id\":\"c6\",\"t\":6}"));
    index(source(direction), value(6, "{\"default\":" + graph.formatted(6) + "}"));
    move(direction, MYDB);
    assertThat(record(target(direction), MYDB).index())
        .isEqualTo(value(6, "{\"default\":" + graph.formatted(6) + "," + other + "}"));
  }

  @ParameterizedTest
  @EnumSource
  void anIndexThatWasBuiltAnewAtTheSameTIsCarried(Direction direction) {
    head(source(direction), HEAD);
    index(source(direction), INDEX);
    move(direction, MYDB);
    source(direction).ledgers().publishIndexAllowEqual(MYDB, Ref.of("rebuilt", 5));

    assertThat(move(direction, MYDB)).isEqualTo(new UpToDate(C5, C5));
    areEqual(MYDB);
    assertThat(record(target(direction), MYDB).indexed()).isEqualTo(Ref.of("rebuilt", 5));
  }

  @ParameterizedTest
  @EnumSource
  void anIndexIsNotReplacedByOneThatWasRebuiltLessOften(Direction direction) {
    head(source(direction), HEAD);
    index(source(direction), INDEX);
    move(direction, MYDB);
    target(direction).ledgers().publishIndexAllowEqual(MYDB, Ref.of("rebuilt", 5));

    assertThat(move(direction, MYDB)).isEqualTo(new UpToDate(C5, C5));
    assertThat(record(target(direction), MYDB).indexed()).isEqualTo(Ref.of("rebuilt", 5));
    assertThat(record(source(direction), MYDB).index()).isEqualTo(INDEX);
  }

  @ParameterizedTest
  @EnumSource
  void headsOfOneCommitThatSayDifferentThingsHaveDiverged(Direction direction) {
    ConcernValue other = value(5, "{\"id\":\"c5\",\"t\":5,\"by\":{\"who\":\"bob\"}}");
    head(source(direction), HEAD);
    head(target(direction), other);
    remotes.fetch(RemoteName.ORIGIN);

    assertThat(move(direction, MYDB)).isEqualTo(new Diverged(C5, C5, Optional.empty()));
    assertThat(record(source(direction), MYDB).head()).isEqualTo(HEAD);
    assertThat(record(target(direction), MYDB).head()).isEqualTo(other);
  }

  /** As an earlier version left the head that it carried. */
  @ParameterizedTest
  @EnumSource
  void membersThatOnlyTheSourceHasAreBroughtToTheHeadOfOneCommit(Direction direction) {
    ConcernValue bare = value(5, "{\"id\":\"c5\",\"t\":5,\"n\":1.50}");
    head(source(direction), HEAD);
    index(source(direction), INDEX);
    head(target(direction), bare);
    remotes.fetch(RemoteName.ORIGIN);

    assertThat(move(direction, MYDB)).isEqualTo(new UpToDate(C5, C5));
    assertThat(record(target(direction), MYDB).head()).isEqualTo(HEAD);
    assertThat(record(target(direction), MYDB).index()).isEqualTo(INDEX);
    assertThat(move(direction, MYDB)).isEqualTo(new UpToDate(C5, C5));
  }

  @ParameterizedTest
  @EnumSource
  void aHeadThatSaysMoreOfOneCommitStays(Direction direction) {
    ConcernValue bare = value(5, "{\"id\":\"c5\",\"t\":5}");
    head(source(direction), bare);
    head(target(direction), HEAD);

    assertThat(move(direction, MYDB)).isEqualTo(new UpToDate(C5, C5));
    assertThat(record(target(direction), MYDB).head()).isEqualTo(HEAD);
    assertThat(record(source(direction), MYDB).head()).isEqualTo(bare);
  }

  @ParameterizedTest
  @EnumSource
  void theIndexOfAGraphSourceIsCarriedWhole(Direction direction) {
    ConcernValue first = value(5, "{\"id\":\"g5\",\"index_t\":5,\"shards\":[1,2]}");
    ConcernValue rebuilt = value(5, "{\"id\":\"g5b\",\"index_t\":5,\"shards\":[3]}");
    ConcernValue next = value(6, "{\"shards\":[]}");
    Payload config = Payload.parse("{\"k1\":1.20}");
    source(direction).graphSources().publish(TEXT, SourceType.BM25, config, List.of("mydb:main"));
    push(source(direction), TEXT, Concern.INDEX, first);

    assertThat(move(direction, TEXT)).isEqualTo(new Created(Ref.of("g5", 5), 0, 0));
    areEqual(TEXT);
    for (ConcernValue moved : List.of(rebuilt, next)) {
      push(source(direction), TEXT, Concern.INDEX, moved);
      assertThat(move(direction, TEXT)).isInstanceOf(FastForwarded.class);
      areEqual(TEXT);
      assertThat(move(direction, TEXT)).isInstanceOf(UpToDate.class);
    }
    assertThat(record(target(direction), TEXT).index()).isEqualTo(next);
  }

  @Test
  void aFetchTellsThatAnIndexWasBuiltAnew() {
    head(remote, HEAD);
    assertThat(remotes.fetch(RemoteName.ORIGIN).updated()).containsExactly(MYDB);
    List<String> rebuilt =
        List.of(
            "{\"text\":{\"id\":\"j5\",\"t\":5}}",
            "{\"text\":{\"id\":\"j6\",\"t\":5}}",
            "{\"default\":{\"id\":\"i5\",\"t\":5,\"rev\":0}}",
            "{\"default\":{\"id\":\"i5\",\"t\":5,\"rev\":1}}");
    for (String index : rebuilt) {
      index(remote, value(5, index));
      assertThat(remotes.fetch(RemoteName.ORIGIN).updated()).as(index).containsExactly(MYDB);
      assertThat(remotes.fetch(RemoteName.ORIGIN).unchanged()).as(index).containsExactly(MYDB);
    }
  }

  @Test
  void aPushRemembersWhatItWroteAndNotWhatOthersWroteAfterIt() {
    Ref c6 = Ref.of("c6", 6);
    Ref c7 = Ref.of("c7", 7);
    head(local, HEAD);
    move(Direction.PUSH, MYDB);
    head(local, value(6, "{\"id\":\"c6\",\"t\":6}"));
    Remotes raced =
        remotesOver(() -> head(remote, value(7, "{\"id\":\"c7\",\"t\":7}")), Concern.HEAD);
    assertThat(raced.push(MYDB, RemoteSelector.on(RemoteName.ORIGIN)))
        .isEqualTo(new FastForwarded(C5, c6, 0, 0));

    Ref c8 = Ref.of("c8", 8);
    head(local, value(8, "{\"id\":\"c8\",\"t\":8}"));
    assertThat(move(Direction.PUSH, MYDB)).isEqualTo(new Rejected(c8, c7));
    assertThat(record(remote, MYDB).commit()).isEqualTo(c7);
  }

  /** The remotes again, with something that happens there after the first change of a concern. */
  private Remotes remotesOver(Runnable event, Concern concern) {
    AtomicBoolean happened = new AtomicBoolean();
    NameBackend watched =
        (NameBackend)
            Proxy.newProxyInstance(
                NameBackend.class.getClassLoader(),
                new Class<?>[] {NameBackend.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    return null;
                  }
                  Object result = method.invoke(remote.backend(), arguments);
                  if (method.getName().equals("change")
                      && ((ConcernChange) arguments[1]).concern() == concern
                      && happened.compareAndSet(false, true)) {
                    event.run();
                  }
                  return result;
                });
    return new Remotes(
        local,
        TransferOptions.standard()
            .withOpener(
                location ->
                    new NameService(watched, NameOptions.standard().withoutNotifications())));
  }

  @Test
  void anotherPayloadOfTheSameCommitIsNoticedByAPush() {
    head(local, HEAD);
    move(Direction.PUSH, MYDB);
    remote.purge(MYDB);
    ConcernValue other = value(5, "{\"id\":\"c5\",\"t\":5,\"by\":\"another\"}");
    head(remote, other);
    head(local, value(6, "{\"id\":\"c6\",\"t\":6}"));

    assertThat(move(Direction.PUSH, MYDB)).isEqualTo(new Rejected(Ref.of("c6", 6), C5));
    assertThat(record(remote, MYDB).head()).isEqualTo(other);
    remotes.fetch(RemoteName.ORIGIN);
    assertThat(move(Direction.PUSH, MYDB)).isInstanceOf(FastForwarded.class);
  }

  @Test
  void anIndexThatOthersBuildThereIsNoReasonToRejectAPush() {
    head(local, value(5, "{\"id\":\"c5\",\"t\":5}"));
    move(Direction.PUSH, MYDB);
    index(remote, INDEX);
    head(local, value(6, "{\"id\":\"c6\",\"t\":6}"));
    assertThat(move(Direction.PUSH, MYDB)).isInstanceOf(FastForwarded.class);
    assertThat(record(remote, MYDB).index()).isEqualTo(INDEX);
  }

  @Test
  void aPullThatHasDivergedIsNoLookForAPush() {
    Ref c2 = Ref.of("c2", 2);
    head(local, HEAD);
    assertThat(move(Direction.PUSH, MYDB)).isEqualTo(new Created(C5, 0, 0));
    remote.purge(MYDB);
    head(remote, value(2, "{\"id\":\"c2\",\"t\":2}"));

    assertThat(move(Direction.PULL, MYDB)).isEqualTo(new Diverged(C5, c2, Optional.empty()));
    assertThat(move(Direction.PUSH, MYDB)).isEqualTo(new Rejected(C5, c2));
    assertThat(move(Direction.PUSH, MYDB)).isEqualTo(new Rejected(C5, c2));
    assertThat(record(remote, MYDB).commit()).isEqualTo(c2);
  }
}
