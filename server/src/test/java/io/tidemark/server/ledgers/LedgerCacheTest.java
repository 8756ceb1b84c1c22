// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.named.NamedLedgerInitializer;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Payload;
import io.tidemark.names.RetractedException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.problem.ProblemException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers that are kept open. */
final class LedgerCacheTest {

  private static final Address A = Address.parse("a");

  @TempDir private Path directory;
  private NameService names;
  private LedgerCache open;

  @BeforeEach
  void open() {
    names = NameService.open(directory.resolve("data").toString());
    open = cache(AllowedLedgerLocations.anywhere());
    for (String name : List.of("a", "b", "c")) {
      init(name);
    }
  }

  private LedgerCache cache(AllowedLedgerLocations places) {
    return cache(names, places);
  }

  private LedgerCache cache(NameService of, AllowedLedgerLocations places) {
    return LedgerSettings.standard()
        .withCache(Optional.of(directory.resolve("cache")))
        .withOpen(2)
        .withPlaces(places)
        .cache(of);
  }

  private void init(String name) {
    try (NamedLedgerInitializer init =
        new NamedLedgerInitializer(names, Address.parse(name), Optional.empty())) {
      init.init();
    }
  }

  @AfterEach
  void close() {
    open.close();
    names.close();
  }

  private Ledger ledger(String name) {
    try (LedgerCache.LedgerHandle lent = open.acquire(Address.parse(name))) {
      return lent.ledger();
    }
  }

  @Test
  void aLedgerIsOpenedOnce() {
    Set<Ledger> all = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 32).parallel().forEach(i -> all.add(ledger("a")));
    assertThat(all).hasSize(1);
    assertThat(open.size()).isEqualTo(1);
  }

  private static List<ProcessHandle> processes() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
  }

  private static void until(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(60));
      Thread.onSpinWait();
    }
  }

  @Test
  void aProcessForTheFirstStatementIsStartedAndEndsWithTheServer() {
    List<ProcessHandle> before = processes();
    open.prepareSqlIfUsed(SqlLimits.standard());
    until(() -> processes().size() > before.size());
    open.close();
    assertThat(processes()).hasSameSizeAs(before);
    open.prepareSqlIfUsed(SqlLimits.standard());
    awaitPreparation();
    assertThat(processes()).as("the server is closed").hasSameSizeAs(before);
  }

  @Test
  void aServerWithLedgersStartsAProcessForSql() {
    open.close(); // it would keep the process
    List<ProcessHandle> before = processes();
    try (LedgerTestServer house = new LedgerTestServer(directory)) {
      until(() -> processes().size() > before.size());
      assertThat(house.get("/v1/ledgers/a").statusCode()).isEqualTo(200);
    }
    until(() -> processes().size() == before.size());
  }

  @Test
  void noProcessIsStartedWhereThereIsNoLedger() {
    List<ProcessHandle> before = processes();
    try (NameService empty = NameService.open("memory:");
        LedgerCache none = cache(empty, AllowedLedgerLocations.anywhere())) {
      none.prepareSqlIfUsed(SqlLimits.standard());
      awaitPreparation();
      assertThat(processes()).hasSameSizeAs(before);
    }
  }

  private static void awaitPreparation() {
    until(
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("tidemark-sql-start")));
  }

  @Test
  void theLeastRecentlyUsedIsClosedForAnother() {
    Ledger a = ledger("a");
    Ledger b = ledger("b");
    assertThat(ledger("a")).isSameAs(a);
    ledger("c");
    assertThat(open.size()).isEqualTo(2);
    assertThat(ledger("a")).isSameAs(a);
    assertThat(ledger("b")).isNotSameAs(b);
  }

  @Test
  void oneInUseIsNeverClosed() {
    try (LedgerCache.LedgerHandle a = open.acquire(A);
        LedgerCache.LedgerHandle b = open.acquire(Address.parse("b"))) {
      assertThatThrownBy(() -> open.acquire(Address.parse("c")))
          .isInstanceOfSatisfying(
              TidemarkException.class, e -> assertThat(e.kind().status()).isEqualTo(503));
      assertThat(a.ledger().log().head()).isEmpty();
      assertThat(b.ledger().log().head()).isEmpty();
    }
    assertThat(ledger("c").log().head()).isEmpty();
  }

  @Test
  void whatIsRetractedOrGoneIsNotLent() {
    Ledger before = ledger("a");
    names.retract(A);
    assertThatThrownBy(() -> open.acquire(A)).isInstanceOf(RetractedException.class);
    names.restore(A);
    assertThat(ledger("a")).isNotSameAs(before);
    names.retract(A);
    assertThat(names.purge(A)).isTrue();
    assertThatThrownBy(() -> open.acquire(A)).isInstanceOf(NotFoundException.class);
    assertThat(open.size()).isZero();
  }

  @Test
  void whoseNameLeadsElsewhereIsOpenedAnew() {
    Ledger before = ledger("a");
    names.retract(A);
    assertThat(names.purge(A)).isTrue();
    try (NamedLedgerInitializer init =
        new NamedLedgerInitializer(
            names, A, Optional.of(directory.resolve("elsewhere").toString()))) {
      init.init();
    }
    Ledger after = ledger("a");
    assertThat(after).isNotSameAs(before);
    assertThat(after.info().location()).endsWith("elsewhere");
  }

  @Test
  void aNameCanNotLeadToTheLedgerOfAnotherOrOutOfTheServedPlaces() {
    Path served = directory.resolve("served");
    try (LedgerCache strict =
        cache(AllowedLedgerLocations.below(List.of(served.toAbsolutePath() + "/")))) {
      strict.acquire(A).close();
      int n = 0;
      for (String place :
          List.of(
              "ledgers/b/",
              directory.resolve("data/ledgers/b").toString(),
              served.toAbsolutePath() + "/../data/ledgers/b",
              served.toAbsolutePath() + "x")) {
        Address thief = Address.parse("thief" + n++);
        names.create(thief);
        names.push(
            thief,
            Concern.CONFIG,
            Optional.of(ConcernValue.UNBORN),
            ConcernValue.of(
                1, Payload.build(json -> json.putObject("ledger").put("objects", place))));
        for (Address each : List.of(thief, thief.onBranch("dev"))) {
          assertThatThrownBy(() -> strict.ledgers().locationOrDefault(each))
              .isInstanceOfSatisfying(
                  ProblemException.class,
                  e -> assertThat(e.problem().code()).isEqualTo("refused-place"));
        }
        assertThatThrownBy(() -> strict.acquire(thief)).hasMessageContaining("elsewhere");
      }
      strict.ledgers().preview(A, Optional.of("ledgers/a/")).close();
      strict
          .ledgers()
          .preview(Address.parse("new"), Optional.of(served.toAbsolutePath() + "/new"))
          .close();
    }
  }

  /** Whatever a config says when it is read first, second or third. */
  @Test
  void aNameThatMovesWhileItIsLookedAtLeadsNowhereElse() {
    int refused = 0;
    for (int n = 1; n <= 6; n++) {
      Address thief = Address.parse("thief" + n);
      init(thief.name());
      try (NameService moving = new NameService(movingAt(n, thief), NameOptions.standard());
          LedgerCache strict = cache(moving, AllowedLedgerLocations.besideNames())) {
        try (LedgerCache.LedgerHandle lent = strict.acquire(thief)) {
          assertThat(lent.ledger().info().location()).contains("ledgers/" + thief.name());
        } catch (ProblemException e) {
          assertThat(e.problem().code()).isEqualTo("refused-place");
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }

  /** The names, of which one leads to another's ledger from the n-th look on. */
  private NameBackend movingAt(int n, Address thief) {
    AtomicInteger looks = new AtomicInteger();
    Payload another = Payload.build(json -> json.putObject("ledger").put("objects", "ledgers/b/"));
    return (NameBackend)
        Proxy.newProxyInstance(
            NameBackend.class.getClassLoader(),
            new Class<?>[] {NameBackend.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("find") && looks.incrementAndGet() == n) {
                names.push(
                    thief,
                    Concern.CONFIG,
                    Optional.of(ConcernValue.UNBORN),
                    ConcernValue.of(1, another));
              }
              return method.getName().equals("close")
                  ? null
                  : method.invoke(names.backend(), arguments);
            });
  }

  @Test
  void nothingIsLentAfterTheEnd() {
    ledger("a");
    open.close();
    assertThat(open.size()).isZero();
    assertThatThrownBy(() -> open.acquire(A))
        .isInstanceOfSatisfying(
            TidemarkException.class, e -> assertThat(e.code()).isEqualTo("stopping"));
  }
}
