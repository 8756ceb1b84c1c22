// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameService;
import io.tidemark.names.NameStore;
import io.tidemark.names.Payload;
import io.tidemark.names.watch.FeedSettings;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.names.watch.Watch;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.http.RevalidatingCaller;
import io.tidemark.server.resources.ServerResources;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What watchers are promised (names, decision 12 and section 5 item 12). */
@Timeout(120)
final class WatchTest {

  private static final WatchSettings FAST =
      WatchSettings.standard().withFeed(new FeedSettings(Duration.ofMillis(20), 10));

  private final NameService names = NameService.open("memory:");
  private RunningServer server;

  @BeforeEach
  void start() {
    server = serve(FAST);
  }

  private RunningServer serve(WatchSettings settings) {
    return new RunningServer(
        ServerResources.of(names),
        AccessControl.localOnly(),
        ServerSettings.standard().withWatching(settings));
  }

  @AfterEach
  void stop() {
    server.close();
    names.close();
  }

  private SseClient watch(String query) {
    return SseClient.open(server.uri("/v1/watch" + query));
  }

  private void commit(String address, long t) {
    Address at = Address.parse(address);
    ConcernValue next = head(t);
    Optional<ConcernValue> before = names.get(at, Concern.HEAD);
    assertThat(names.push(at, Concern.HEAD, before, next).updated()).isTrue();
  }

  private static ConcernValue head(long t) {
    return ConcernValue.of(t, Payload.build(json -> json.put("id", "c" + t).put("t", t)));
  }

  private static List<String> addresses(List<JsonNode> items) {
    return items.stream().map(item -> item.path("address").asText()).toList();
  }

  @Test
  void whatIsThereComesFirstAndThenWhatMoves() {
    commit("b", 1);
    commit("a", 7);
    try (SseClient stream = watch("")) {
      List<JsonNode> items = stream.snapshot();
      assertThat(addresses(items)).containsExactly("a:main", "b:main");
      assertThat(items.get(0).toString())
          .startsWith(
              "{\"type\":\"appeared\",\"address\":\"a:main\",\"moved\":[\"head\",\"index\",\"status\",\"config\"],\"before\":null,\"now\":{\"kind\":\"ledger\",\"commit_t\":7,");
      commit("a", 8);
      SseClient.Event event = stream.expect("change");
      assertThat(event.data().path("type").asText()).isEqualTo("moved");
      assertThat(event.data().path("moved").toString()).isEqualTo("[\"head\"]");
      assertThat(event.data().path("before").path("commit_t").asLong()).isEqualTo(7);
      assertThat(event.data().path("now").path("commit_t").asLong()).isEqualTo(8);
      assertThat(event.data().path("now").path("commit_id").asText())
          .isEqualTo(names.find(Address.parse("a")).orElseThrow().commit().id().orElseThrow());
      assertThat(stream.head()).anyMatch(line -> line.equals("Content-Type: text/event-stream"));
      names.retract(Address.parse("b"));
      assertThat(stream.expect("change").data().path("type").asText()).isEqualTo("retracted");
      names.purge(Address.parse("b"));
      assertThat(stream.expect("change").data().path("type").asText()).isEqualTo("purged");
    }
  }

  @Test
  void onlyWhatIsAskedForIsTold() {
    commit("tenant/a", 1);
    commit("other", 1);
    try (SseClient prefixed = watch("?prefix=tenant/");
        SseClient chosen = watch("?address=other&address=third");
        SseClient indices = watch("?concern=index&concern=config");
        SseClient sources = watch("?kind=graph_source")) {
      assertThat(addresses(prefixed.snapshot())).containsExactly("tenant/a:main");
      assertThat(addresses(chosen.snapshot())).containsExactly("other:main");
      List<JsonNode> all = indices.snapshot();
      assertThat(addresses(all)).containsExactly("other:main", "tenant/a:main");
      assertThat(all.get(0).path("moved").toString()).isEqualTo("[\"index\",\"config\"]");
      assertThat(sources.snapshot()).isEmpty();

      commit("other", 2);
      commit("tenant/a", 2);
      commit("third", 1);
      Address other = Address.parse("other");
      ConcernValue config = ConcernValue.of(1, Payload.build(json -> json.put("k", 1)));
      names.push(other, Concern.CONFIG, names.get(other, Concern.CONFIG), config);
      assertThat(prefixed.expect("change").data().path("address").asText())
          .isEqualTo("tenant/a:main");
      // Changes of different records come in no particular order.
      assertThat(addresses(List.of(chosen.expect("change").data(), chosen.expect("change").data())))
          .containsExactlyInAnyOrder("other:main", "third:main");
      // Its head moved too, which wasn't asked for; that the third appeared is told in any case.
      List<JsonNode> told =
          List.of(indices.expect("change").data(), indices.expect("change").data());
      assertThat(told)
          .extracting(event -> event.path("address").asText() + event.path("moved"))
          .containsExactlyInAnyOrder("other:main[\"config\"]", "third:main[\"index\",\"config\"]");
    }
  }

  @Test
  void whatCannotBeAskedForIsAProblem() {
    for (String query : List.of("?concern=x", "?kind=x", "?from=x", "?wait=-1", "?address=a:b:c")) {
      HttpResponse<String> answer = server.get("/v1/watch" + query);
      assertThat(answer.statusCode()).as(query).isEqualTo(400);
    }
  }

  /** However a client is cut off, with the last id that it has seen it goes on where it was. */
  @Test
  void whoComesBackMissesNothingAndHearsNothingTwice() {
    commit("a", 1);
    List<Long> heard = new ArrayList<>();
    Optional<String> id;
    try (SseClient stream = watch("")) {
      stream.snapshot();
      id = stream.lastId();
    }
    long last = 0;
    for (long t = 2; t <= 40; t += 2) {
      commit("a", t);
      awaitTold(++last);
      commit("a", t + 1);
      awaitTold(++last);
      commit("b" + t, 1);
      awaitTold(++last);
      // Takes one event, two or three before it is cut off again.
      try (SseClient stream = SseClient.after(server.uri("/v1/watch"), id.orElseThrow())) {
        for (int i = 0; i <= (t / 2) % 3; i++) {
          heard.add(number(stream.expect("change")));
        }
        id = stream.lastId();
      }
    }
    try (SseClient stream = SseClient.after(server.uri("/v1/watch"), id.orElseThrow())) {
      while (heard.get(heard.size() - 1) < last) {
        heard.add(number(stream.expect("change")));
      }
    }
    for (int i = 0; i < last; i++) {
      assertThat(heard.get(i)).isEqualTo(i + 1L);
    }
    assertThat(heard).hasSize((int) last);
  }

  private void awaitTold(long number) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(2))
        .until(() -> server.server().watchHub().eventCount() >= number);
  }

  private static long number(SseClient.Event event) {
    return Position.parse(event.id().orElseThrow()).number();
  }

  @Test
  void whoFellBehindIsToldSo() {
    server.close();
    server = serve(FAST.withKept(3));
    commit("a", 1);
    String id;
    try (SseClient stream = watch("")) {
      stream.snapshot();
      id = stream.lastId().orElseThrow();
    }
    for (long t = 2; t <= 5; t++) {
      commit("a", t);
      awaitTold(t - 1);
    }
    try (SseClient stream = SseClient.after(server.uri("/v1/watch"), id)) {
      assertThat(stream.expect("resync").data().path("reason").asText())
          .isEqualTo("what came behind that id isn't kept any more");
      assertThat(stream.snapshot().get(0).path("now").path("commit_t").asLong()).isEqualTo(5);
    }
    assertThat(server.get("/metrics").body()).contains("tidemark_watch_resyncs_total 1.0");
    commit("a", 6);
    awaitTold(5);
    // The last three are kept still.
    String near = id.substring(0, id.lastIndexOf('-')) + "-2";
    try (SseClient stream = SseClient.after(server.uri("/v1/watch"), near)) {
      for (long t = 4; t <= 6; t++) {
        assertThat(stream.expect("change").data().path("now").path("commit_t").asLong())
            .isEqualTo(t);
      }
    }
  }

  /** So many that the buffers on the way to a client can't hold their snapshot. */
  private void createMany() {
    String longName = "n".repeat(200);
    for (int i = 0; i < 12_000; i++) {
      names.create(Address.parse(longName + i));
    }
    commit("ledger-with-a-rather-long-name-0", 1);
  }

  /** A client that doesn't read costs nobody anything, and is told that it missed something. */
  @Test
  void aSlowClientGetsASnapshotInPlaceOfWhatItMissed() {
    server.close();
    server = serve(FAST.withKept(50));
    createMany();
    try (SseClient slow = SseClient.open(server.uri("/v1/watch"), 4096);
        SseClient quick = watch("?from=now")) {
      quick.expect("ready");
      // More than any buffer on the way takes, while the slow one reads nothing.
      long t = 1;
      for (int round = 0; round < 60; round++) {
        t++;
        commit("ledger-with-a-rather-long-name-0", t);
        assertThat(quick.expect("change").data().path("now").path("commit_t").asLong())
            .isEqualTo(t);
      }
      TreeMap<String, Long> known = new TreeMap<>();
      int resyncs = 0;
      while (known.getOrDefault("ledger-with-a-rather-long-name-0:main", 0L) < t) {
        SseClient.Event event = Objects.requireNonNull(slow.next());
        if (event.name().equals("resync")) {
          resyncs++;
          known.clear();
        } else if (!event.name().equals("ready")) {
          known.put(
              event.data().path("address").asText(),
              event.data().path("now").path("commit_t").asLong());
        }
      }
      assertThat(resyncs).isEqualTo(1);
    }
  }

  @Test
  void aClientThatDoesNotReadIsEnded() {
    server.close();
    server = serve(FAST.withPatience(Duration.ofMillis(200)));
    createMany();
    try (SseClient slow = SseClient.open(server.uri("/v1/watch"), 4096)) {
      Awaitility.await().until(() -> server.server().watchHub().size() == 1);
      Awaitility.await().until(() -> server.server().watchHub().size() == 0);
      assertThat(slow.line()).isNotNull();
    }
  }

  @Test
  void anotherServerOnTheSameStoreTellsEverythingAnew() {
    commit("a", 1);
    String id;
    try (SseClient stream = watch("")) {
      stream.snapshot();
      id = stream.lastId().orElseThrow();
    }
    try (RunningServer other = serve(FAST);
        SseClient stream = SseClient.after(other.uri("/v1/watch"), id)) {
      assertThat(stream.expect("resync").data().path("reason").asText())
          .startsWith("that id is of another server");
      assertThat(addresses(stream.snapshot())).containsExactly("a:main");
      commit("a", 2);
      stream.expect("change");
    }
  }

  @Test
  void aServerThatStopsEndsItsStreamsCleanly() {
    SseClient stream = watch("");
    stream.snapshot();
    LongPoll poll = LongPoll.begin(server.uri("/v1/watch?from=now"));
    String next = poll.json().path("next").asText();
    LongPoll waiting = LongPoll.begin(server.uri("/v1/watch?wait=60&after=" + next));
    Awaitility.await().until(() -> server.server().watchHub().size() == 2);
    server.close();
    // Who is still there when requests have had their time is cut off, without an end.
    assertThat(stream.next()).isNull();
    assertThat(waiting.json().path("events")).isEmpty();
    stream.close();
    server = serve(FAST);
    try (SseClient again =
        SseClient.after(server.uri("/v1/watch"), stream.lastId().orElseThrow())) {
      again.expect("resync");
      assertThat(again.snapshot()).isEmpty();
    }
  }

  @Test
  void aWatcherWithNothingToHearIsToldThatTheServerLives() {
    server.close();
    server = serve(FAST.withHeartbeat(Duration.ofMillis(50)));
    commit("a", 1);
    try (SseClient stream = watch("?prefix=nobody")) {
      assertThat(stream.snapshot()).isEmpty();
      String id = stream.lastId().orElseThrow();
      commit("a", 2);
      awaitTold(1);
      // It isn't told the change, but where it is by now.
      String later = id.substring(0, id.lastIndexOf('-')) + "-1";
      List<String> lines = new ArrayList<>();
      while (!lines.contains("id: " + later)) {
        lines.add(stream.line());
      }
      assertThat(lines).contains(": heartbeat").noneMatch(line -> line.startsWith("data:"));
    }
  }

  @Test
  void whoAsksAgainAndAgainHearsTheSame() {
    commit("a", 1);
    JsonNode first = LongPoll.begin(server.uri("/v1/watch")).json();
    assertThat(first.path("resync").asBoolean()).isTrue();
    assertThat(first.path("events")).hasSize(1);
    String next = first.path("next").asText();
    assertThat(LongPoll.begin(server.uri("/v1/watch?wait=0&after=" + next)).json().toString())
        .isEqualTo("{\"events\":[],\"next\":\"" + next + "\",\"resync\":false}");

    LongPoll waiting = LongPoll.begin(server.uri("/v1/watch?wait=60&after=" + next));
    Awaitility.await().until(() -> server.server().watchHub().size() == 1);
    commit("a", 2);
    JsonNode second = waiting.json();
    assertThat(second.path("events").get(0).path("now").path("commit_t").asLong()).isEqualTo(2);
    assertThat(second.path("resync").asBoolean()).isFalse();

    commit("a", 3);
    awaitTold(2);
    commit("a", 4);
    awaitTold(3);
    String one = second.path("next").asText();
    JsonNode third = LongPoll.begin(server.uri("/v1/watch?limit=1&after=" + one)).json();
    assertThat(third.path("events")).hasSize(1);
    JsonNode fourth =
        LongPoll.begin(server.uri("/v1/watch?after=" + third.path("next").asText())).json();
    assertThat(fourth.path("events").get(0).path("now").path("commit_t").asLong()).isEqualTo(4);

    JsonNode lost = LongPoll.begin(server.uri("/v1/watch?after=nonsense")).json();
    assertThat(lost.path("resync").asBoolean()).isTrue();
    assertThat(lost.path("events")).hasSize(1);
  }

  @Test
  void nobodyIsToldOfWhatTheyMayNotRead() {
    commit("acme/crm", 1);
    commit("acmecorp/crm", 1);
    Caller caller =
        Caller.ofToken(
            "reader", List.of(new Grant(Action.READ, ResourceType.NAMES, "acme/crm:main")));
    WatchView watchView =
        new WatchView(WatchFilter.all(), new RevalidatingCaller(caller, () -> caller), false);
    List<String> told = new ArrayList<>();
    try (NameFeed feed = new NameFeed(names);
        Watch watch = feed.watch(WatchFilter.all())) {
      for (Optional<NameEvent> event = next(watch); event.isPresent(); event = next(watch)) {
        watchView.of(event.get()).ifPresent(seen -> told.add(seen.address().toString()));
      }
    }
    assertThat(told).containsExactly("acme/crm:main");
  }

  @Test
  void whoseTokenIsTakenAwayIsntToldAnyMore(@TempDir Path directory) {
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    String stays = token(tokens, "stays");
    String goes = token(tokens, "goes");
    commit("a", 1);
    try (RunningServer asking =
            new RunningServer(
                ServerResources.of(names),
                AccessControl.of(AccessSettings.none().withTokens(directory.resolve("tokens"))),
                ServerSettings.standard().withWatching(FAST.withRecheck(Duration.ofMillis(50))));
        SseClient staying = SseClient.open(asking.uri("/v1/watch"), bearer(stays));
        SseClient going = SseClient.open(asking.uri("/v1/watch"), bearer(goes))) {
      staying.snapshot();
      going.snapshot();
      tokens.remove("goes");
      assertThat(going.expect("ended").data().path("reason").asText())
          .isEqualTo("the token isn't valid, or not any more; get another");
      assertThat(going.next()).isNull();
      commit("a", 2);
      assertThat(staying.expect("change").data().path("now").path("commit_t").asLong())
          .isEqualTo(2);
    }
  }

  @Test
  void aPollEndsWithItsToken(@TempDir Path directory) throws Exception {
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    String goes = token(tokens, "goes");
    try (RunningServer asking =
        new RunningServer(
            ServerResources.of(names),
            AccessControl.of(AccessSettings.none().withTokens(directory.resolve("tokens"))),
            ServerSettings.standard().withWatching(FAST.withRecheck(Duration.ofMillis(50))))) {
      HttpRequest.Builder poll =
          HttpRequest.newBuilder(asking.uri("/v1/watch?from=now&wait=60"))
              .header("Authorization", "Bearer " + goes);
      String now = RunningServer.json(asking.send(poll.build())).path("next").asText();
      poll.uri(asking.uri("/v1/watch?wait=60&after=" + now));
      CompletableFuture<HttpResponse<String>> waiting =
          CompletableFuture.supplyAsync(() -> asking.send(poll.build()));
      Awaitility.await().until(() -> asking.server().watchHub().size() == 1);
      tokens.remove("goes");
      assertThat(RunningServer.json(waiting.get(50, TimeUnit.SECONDS)).path("events")).isEmpty();
      assertThat(asking.send(poll.build()).statusCode()).isEqualTo(401);
    }
  }

  private static String token(TokenFile file, String name) {
    TokenRecord.NewToken newToken =
        TokenRecord.create(name, Grant.parse("read:names"), Instant.now(), Optional.empty());
    file.add(newToken.token());
    return newToken.secret();
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  private static Optional<NameEvent> next(Watch watch) {
    try {
      return watch.next(Duration.ZERO);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The store is away for a while: that is told once, and nothing is missed. */
  @Test
  void aStoreThatIsAwayIsTold() {
    AtomicBoolean away = new AtomicBoolean(true);
    MemoryNameBackend there = new MemoryNameBackend();
    NameBackend backend =
        (NameBackend)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {NameBackend.class, NameStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("store")) {
                    return proxy;
                  }
                  if (away.get() && List.of("survey", "find", "list").contains(method.getName())) {
                    throw new StoreUnavailableException("the store is away; wait for it");
                  }
                  return method.invoke(there, arguments);
                });
    try (NameService service = new NameService(backend);
        RunningServer other =
            new RunningServer(
                ServerResources.of(service),
                AccessControl.localOnly(),
                ServerSettings.standard().withWatching(FAST));
        SseClient stream = SseClient.open(other.uri("/v1/watch"))) {
      assertThat(stream.expect("trouble").data().path("problem").asText())
          .isEqualTo("the store is away; wait for it");
      away.set(false);
      assertThat(stream.snapshot()).isEmpty();
      away.set(true);
      service.create(Address.parse("a"));
      assertThat(stream.expect("trouble").data().path("type").asText()).isEqualTo("trouble");
      away.set(false);
      List<String> types = new ArrayList<>();
      while (!types.containsAll(List.of("recovered", "appeared"))) {
        types.add(Objects.requireNonNull(stream.next()).data().path("type").asText());
      }
      assertThat(types).hasSize(2);
    }
  }

  @Test
  void oneTooManyIsRefused() {
    server.close();
    server = serve(FAST.withWatchers(2).withPerCaller(2));
    try (SseClient one = watch("");
        SseClient two = watch("")) {
      one.snapshot();
      two.snapshot();
      HttpResponse<String> answer = server.get("/v1/watch");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(RunningServer.json(answer).path("code").asText()).isEqualTo("too-many-watchers");
      assertThat(answer.headers().firstValue("Retry-After")).contains("10");
    }
    // Those who have gone make room, though nothing was written to them.
    Awaitility.await().until(() -> server.server().watchHub().size() == 0);
    try (SseClient three = watch("")) {
      three.snapshot();
    }
  }

  @Test
  void nobodyIsWatchedForALongTimeAfterTheLastHasGone() {
    server.close();
    server = serve(FAST.withLinger(Duration.ZERO));
    assertThat(server.server().watchHub().isRunning()).isFalse();
    try (SseClient stream = watch("")) {
      stream.snapshot();
      assertThat(server.server().watchHub().isRunning()).isTrue();
    }
    Awaitility.await().until(() -> !server.server().watchHub().isRunning());
    try (SseClient stream = watch("")) {
      stream.snapshot();
    }
  }

  @Test
  void whoWatchesGoesOnAfterWhateverFailed() {
    NameBackend there = new MemoryNameBackend();
    AtomicInteger fails = new AtomicInteger();
    NameBackend failing =
        (NameBackend)
            Proxy.newProxyInstance(
                WatchTest.class.getClassLoader(),
                new Class<?>[] {NameBackend.class, NameStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("store")) {
                    return proxy;
                  }
                  if (fails.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new OutOfMemoryError("for a moment");
                  }
                  return method.invoke(there, arguments);
                });
    try (NameService others = new NameService(failing);
        RunningServer troubled =
            new RunningServer(
                ServerResources.of(others),
                AccessControl.localOnly(),
                ServerSettings.standard().withWatching(FAST))) {
      fails.set(1);
      try (SseClient stream = SseClient.open(troubled.uri("/v1/watch"))) {
        assertThat(stream.expect("trouble").data().path("problem").asText())
            .isEqualTo("the server can't watch its store; its log says why");
        assertThat(stream.snapshot()).isEmpty();
      }
    }
  }
}
