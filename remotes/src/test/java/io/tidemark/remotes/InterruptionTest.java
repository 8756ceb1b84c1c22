// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.remotes.transfer.Outcome;
import io.tidemark.testkit.objects.Fault;
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
  private static final Map<Deed, Sea> BEFORE = new EnumMap<>(Deed.class);

  static Sea sea(Deed deed) {
    return BEFORE
        .computeIfAbsent(
            deed,
            d -> {
              Sea sea = new Sea();
              d.prepare(sea.site("here"), sea.site("there"));
              return sea;
            })
        .copy();
  }

  private record Trial(Deed deed, Sea sea, Site here, Site there) {

    static Trial of(Deed deed) {
      return in(InterruptionTest.sea(deed), deed);
    }

    static Trial in(Sea sea, Deed deed) {
      return new Trial(deed, sea, sea.site("here"), sea.site("there"));
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
              Outcome.Created.class, Outcome.FastForwarded.class, Outcome.UpToDate.class);
      isAsItShouldBe();
    }
  }

  /**
   * Dying after a request is dying before the next one, unless several are under way; that, and all
   * mishaps, is for the soak.
   */
  static Stream<Arguments> deaths() {
    return Stream.of(Deed.values())
        .flatMap(
            deed ->
                Stream.of(Fate.End.values())
                    .filter(end -> SOAK || (end == Fate.End.DIES_BEFORE && deed != Deed.FIRST_PUSH))
                    .map(end -> Arguments.of(deed, end)));
  }

  @ParameterizedTest
  @MethodSource("deaths")
  void whoeverComesAfterADeathCompletesIt(Deed deed, Fate.End end) {
    dieOverAndOver(deed, end, 1, () -> sea(deed));
  }

  /**
   * Dies at one request after the other.
   *
   * @param every how far they are apart
   * @param seas in which it is as before
   */
  static void dieOverAndOver(Deed deed, Fate.End end, int every, Supplier<Sea> seas) {
    List<String> before = Trial.of(deed).told();
    Trial calm = Trial.of(deed);
    calm.performAgain();
    List<String> after = calm.told();
    boolean died = true;
    for (int i = every; died; i += every) {
      Trial trial = Trial.in(seas.get(), deed);
      Fate fate = new Fate(i, end);
      try {
        deed.perform(
            trial.sea().site("here", fate.over(trial.sea().backend("here"))),
            trial.sea().site("there", fate.over(trial.sea().backend("there"))));
      } catch (TidemarkException e) {
        assertThat(fate.isMet()).as("it failed because it died").isTrue();
      }
      died = fate.isMet();
      try {
        assertThat(Site.committed(trial.told()))
            .isIn(Site.committed(before), Site.committed(after));
        trial.performAgain();
      } catch (AssertionError | RuntimeException e) {
        fail(end + " at request " + i, e);
      }
      trial.sea().close();
    }
  }

  /** What is true of stores in memory is so of those that are used. */
  @ParameterizedTest
  @EnumSource(names = {"PUSH", "PULL"})
  void inDirectoriesADeathIsOvercomeToo(Deed deed, @TempDir Path root) {
    Function<String, ObjectBackend> directories =
        name -> {
          try {
            return DirectoryBackend.open(
                Files.createTempDirectory(root, name), Durability.PAGE_CACHE);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    dieOverAndOver(deed, Fate.End.DIES_BEFORE, SOAK ? 1 : 45, () -> sea(deed).copyTo(directories));
  }

  static Stream<Arguments> departures() {
    return Stream.of(Deed.values())
        .flatMap(deed -> Stream.of("here", "there").map(gone -> Arguments.of(deed, gone)))
        .filter(arguments -> SOAK || List.of(arguments.get()).equals(List.of(Deed.PULL, "there")));
  }

  /** The other store can still be written, so more is done than when the process dies. */
  @ParameterizedTest
  @MethodSource("departures")
  void oneOfTheTwoStoresMayGoAway(Deed deed, String gone) {
    boolean met = true;
    for (int i = 1; met; i++) {
      Trial trial = Trial.of(deed);
      Fate fate = new Fate(i, Fate.End.DIES_BEFORE);
      Sea sea = trial.sea();
      Site leaving = sea.site(gone, fate.over(sea.backend(gone)));
      try {
        deed.perform(
            gone.equals("here") ? leaving : trial.here(),
            gone.equals("there") ? leaving : trial.there());
      } catch (TidemarkException e) {
        assertThat(fate.isMet()).as("it failed because one went away").isTrue();
      }
      met = fate.isMet();
      try {
        trial.performAgain();
      } catch (AssertionError | RuntimeException e) {
        fail("at request " + i + " to " + gone, e);
      }
    }
  }

  static Stream<Arguments> mishaps() {
    return Stream.of(Deed.values())
        .flatMap(deed -> Stream.of(Mishap.values()).map(mishap -> Arguments.of(deed, mishap)))
        .filter(
            arguments ->
                SOAK
                    || List.of(arguments.get())
                        .equals(List.of(Deed.PUSH, Mishap.LOSES_ITS_ANSWER)));
  }

  enum Mishap {
    LOSES_ITS_ANSWER,
    GETS_LOST,
    IS_REFUSED_WITHOUT_CAUSE,
    ARRIVES_LATE;

    Fault fault() {
      return switch (this) {
        case LOSES_ITS_ANSWER -> Fault.loseAnswer();
        case GETS_LOST -> Fault.loseRequest();
        case IS_REFUSED_WITHOUT_CAUSE -> Fault.refuse();
        case ARRIVES_LATE -> Fault.arriveLate(2);
      };
    }
  }

  @ParameterizedTest
  @MethodSource("mishaps")
  void whatHappensToOneWriteIsOvercome(Deed deed, Mishap mishap) {
    int struck = 1;
    for (int i = 1; struck > 0; i++) {
      Trial trial = Trial.of(deed);
      FaultyBackend here = new FaultyBackend(trial.sea().backend("here"));
      FaultyBackend there = new FaultyBackend(trial.sea().backend("there"));
      AtomicInteger seen = new AtomicInteger();
      int nth = i;
      for (FaultyBackend backend : List.of(here, there)) {
        backend.next(
            (operation, key) -> operation.changes() && seen.incrementAndGet() == nth,
            mishap.fault());
      }
      try {
        deed.perform(trial.sea().site("here", here), trial.sea().site("there", there));
      } catch (TidemarkException e) {
        here.heal(); // whoever is told so tries again
      }
      struck = 2 - here.waiting() - there.waiting();
      here.deliverLate();
      there.deliverLate();
      try {
        trial.performAgain();
      } catch (AssertionError | RuntimeException e) {
        fail(mishap + " at request " + i, e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyACertainNumberOfRequestsIsMade(Deed deed) {
    Trial trial = Trial.of(deed);
    Fate fate = new Fate();
    deed.perform(
        trial.sea().site("here", fate.over(trial.sea().backend("here"))),
        trial.sea().site("there", fate.over(trial.sea().backend("there"))));

    assertThat(fate.requests()).isBetween(20, 250);
  }
}
