// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.remotes.transfer.TransferOutcome;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each request of a push, a pull and a clone goes wrong in turn, in every way, the end of the
 * process included. Up to the end the target tells what it told before or what it is to tell, and
 * doing the same again ends as if nothing had been.
 */
class InterruptionTest {

  private static final boolean SOAK = Boolean.getBoolean("soak");

  /** How it was before, with all that is on either side. */
  private static final Map<TransferOperation, SiteEnvironment> BEFORE =
      new EnumMap<>(TransferOperation.class);

  static SiteEnvironment sea(TransferOperation transferOperation) {
    return BEFORE
        .computeIfAbsent(
            transferOperation,
            d -> {
              SiteEnvironment siteEnvironment = new SiteEnvironment();
              d.prepare(siteEnvironment.site("here"), siteEnvironment.site("there"));
              return siteEnvironment;
            })
        .copy();
  }

  private record Trial(TransferOperation deed, SiteEnvironment sea, Site here, Site there) {

    static Trial of(TransferOperation transferOperation) {
      return in(InterruptionTest.sea(transferOperation), transferOperation);
    }

    static Trial in(SiteEnvironment siteEnvironment, TransferOperation transferOperation) {
      return new Trial(
          transferOperation,
          siteEnvironment,
          siteEnvironment.site("here"),
          siteEnvironment.site("there"));
    }

    Site target() {
      return deed.target(here, there);
    }

    /** What the target tells; nothing while it isn't there. */
    List<String> told() {
      return target().has(deed.address()) && target().hasLedger(deed.address())
          ? target().account(deed.address())
          : List.of();
    }

    void isAsItShouldBe() {
      Site source = deed.source(here, there);
      assertThat(told()).isEqualTo(source.account(deed.address()));
      assertThat(target().head(deed.address())).isEqualTo(source.head(deed.address()));
      target().isSound(deed.address());
    }

    void performAgain() {
      assertThat(deed.perform(here, there))
          .isInstanceOfAny(
              TransferOutcome.Created.class,
              TransferOutcome.FastForwarded.class,
              TransferOutcome.UpToDate.class);
      isAsItShouldBe();
    }
  }

  /**
   * Dying after a request is dying before the next one, unless several are under way; that, and all
   * mishaps, is for the soak.
   */
  static Stream<Arguments> deaths() {
    return Stream.of(TransferOperation.values())
        .flatMap(
            transferOperation ->
                Stream.of(CrashInjector.CrashPoint.values())
                    .filter(
                        crashPoint ->
                            SOAK
                                || (crashPoint == CrashInjector.CrashPoint.DIES_BEFORE
                                    && transferOperation != TransferOperation.FIRST_PUSH))
                    .map(crashPoint -> Arguments.of(transferOperation, crashPoint)));
  }

  @ParameterizedTest
  @MethodSource("deaths")
  void whoeverComesAfterADeathCompletesIt(
      TransferOperation transferOperation, CrashInjector.CrashPoint crashPoint) {
    dieOverAndOver(transferOperation, crashPoint, 1, () -> sea(transferOperation));
  }

  /**
   * Dies at one request after the other.
   *
   * @param every how far they are apart
   * @param seas in which it is as before
   */
  static void dieOverAndOver(
      TransferOperation transferOperation,
      CrashInjector.CrashPoint crashPoint,
      int every,
      Supplier<SiteEnvironment> seas) {
    List<String> before = Trial.of(transferOperation).told();
    Trial calm = Trial.of(transferOperation);
    calm.performAgain();
    List<String> after = calm.told();
    boolean died = true;
    for (int i = every; died; i += every) {
      Trial trial = Trial.in(seas.get(), transferOperation);
      CrashInjector crashInjector = new CrashInjector(i, crashPoint);
      try {
        transferOperation.perform(
            trial.sea().site("here", crashInjector.over(trial.sea().backend("here"))),
            trial.sea().site("there", crashInjector.over(trial.sea().backend("there"))));
      } catch (TidemarkException e) {
        assertThat(crashInjector.isMet()).as("it failed because it died").isTrue();
      }
      died = crashInjector.isMet();
      try {
        assertThat(Site.committed(trial.told()))
            .isIn(Site.committed(before), Site.committed(after));
        trial.performAgain();
      } catch (AssertionError | RuntimeException e) {
        fail(crashPoint + " at request " + i, e);
      }
      trial.sea().close();
    }
  }

  /** What is true of stores in memory is so of those that are used. */
  @ParameterizedTest
  @EnumSource(names = {"PUSH", "PULL"})
  void inDirectoriesADeathIsOvercomeToo(TransferOperation transferOperation, @TempDir Path root) {
    Function<String, ObjectBackend> directories =
        name -> {
          try {
            return DirectoryBackend.open(
                Files.createTempDirectory(root, name), Durability.PAGE_CACHE);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    dieOverAndOver(
        transferOperation,
        CrashInjector.CrashPoint.DIES_BEFORE,
        SOAK ? 1 : 45,
        () -> sea(transferOperation).copyTo(directories));
  }

  static Stream<Arguments> departures() {
    return Stream.of(TransferOperation.values())
        .flatMap(
            transferOperation ->
                Stream.of("here", "there").map(gone -> Arguments.of(transferOperation, gone)))
        .filter(
            arguments ->
                SOAK || List.of(arguments.get()).equals(List.of(TransferOperation.PULL, "there")));
  }

  /** The other store can still be written, so more is done than when the process dies. */
  @ParameterizedTest
  @MethodSource("departures")
  void oneOfTheTwoStoresMayGoAway(TransferOperation transferOperation, String gone) {
    boolean met = true;
    for (int i = 1; met; i++) {
      Trial trial = Trial.of(transferOperation);
      CrashInjector crashInjector = new CrashInjector(i, CrashInjector.CrashPoint.DIES_BEFORE);
      SiteEnvironment siteEnvironment = trial.sea();
      Site leaving = siteEnvironment.site(gone, crashInjector.over(siteEnvironment.backend(gone)));
      try {
        transferOperation.perform(
            gone.equals("here") ? leaving : trial.here(),
            gone.equals("there") ? leaving : trial.there());
      } catch (TidemarkException e) {
        assertThat(crashInjector.isMet()).as("it failed because one went away").isTrue();
      }
      met = crashInjector.isMet();
      try {
        trial.performAgain();
      } catch (AssertionError | RuntimeException e) {
        fail("at request " + i + " to " + gone, e);
      }
    }
  }

  static Stream<Arguments> mishaps() {
    return Stream.of(TransferOperation.values())
        .flatMap(
            transferOperation ->
                Stream.of(FaultKind.values())
                    .map(faultKind -> Arguments.of(transferOperation, faultKind)))
        .filter(
            arguments ->
                SOAK
                    || List.of(arguments.get())
                        .equals(List.of(TransferOperation.PUSH, FaultKind.LOSES_ITS_ANSWER)));
  }

  enum FaultKind {
    LOSES_ITS_ANSWER,
    GETS_LOST,
    IS_REFUSED_WITHOUT_CAUSE,
    ARRIVES_LATE;

    BackendFault fault() {
      return switch (this) {
        case LOSES_ITS_ANSWER -> BackendFault.loseAnswer();
        case GETS_LOST -> BackendFault.loseRequest();
        case IS_REFUSED_WITHOUT_CAUSE -> BackendFault.refuse();
        case ARRIVES_LATE -> BackendFault.arriveLate(2);
      };
    }
  }

  @ParameterizedTest
  @MethodSource("mishaps")
  void whatHappensToOneWriteIsOvercome(TransferOperation transferOperation, FaultKind faultKind) {
    int struck = 1;
    for (int i = 1; struck > 0; i++) {
      Trial trial = Trial.of(transferOperation);
      FaultyBackend here = new FaultyBackend(trial.sea().backend("here"));
      FaultyBackend there = new FaultyBackend(trial.sea().backend("there"));
      AtomicInteger seen = new AtomicInteger();
      int nth = i;
      for (FaultyBackend backend : List.of(here, there)) {
        backend.next(
            (operation, key) -> operation.changes() && seen.incrementAndGet() == nth,
            faultKind.fault());
      }
      try {
        transferOperation.perform(trial.sea().site("here", here), trial.sea().site("there", there));
      } catch (TidemarkException e) {
        here.clearFaults(); // whoever is told so tries again
      }
      struck = 2 - here.pendingFaults() - there.pendingFaults();
      here.deliverLateWrites();
      there.deliverLateWrites();
      try {
        trial.performAgain();
      } catch (AssertionError | RuntimeException e) {
        fail(faultKind + " at request " + i, e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyACertainNumberOfRequestsIsMade(TransferOperation transferOperation) {
    Trial trial = Trial.of(transferOperation);
    CrashInjector crashInjector = new CrashInjector();
    transferOperation.perform(
        trial.sea().site("here", crashInjector.over(trial.sea().backend("here"))),
        trial.sea().site("there", crashInjector.over(trial.sea().backend("there"))));

    assertThat(crashInjector.requests()).isBetween(20, 250);
  }
}
