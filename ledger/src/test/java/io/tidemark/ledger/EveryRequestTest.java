// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.objects.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each request of what a writer does goes wrong in turn, in every way. Whatever happens, in the end
 * the ledger tells the same as one where nothing did: each commit once, none twice, none in part,
 * upgraders applied once (F5), what was purged gone (F4), and the lock free.
 */
class EveryRequestTest {

  static Stream<Arguments> deedsAndMishaps() {
    return Stream.of(Deed.values())
        .flatMap(deed -> Stream.of(Mishap.values()).map(mishap -> Arguments.of(deed, mishap)));
  }

  @ParameterizedTest
  @MethodSource("deedsAndMishaps")
  void losesAndDoublesNothing_F1_F2_F3_F5_F6_F9_G5_G13(Deed deed, Mishap mishap) {
    Trial.Calm calm = Trial.calm(deed);
    assertThat(calm.requests()).hasSizeGreaterThan(3);
    each(
        calm.requests().stream().filter(request -> mishap.fits(request.operation())),
        request -> new Trial(deed).survives(request, mishap, calm.account()));
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLostWhileAnObjectCantBeReachedForLong_F6_F9(Deed deed) {
    Trial.Calm calm = Trial.calm(deed);
    each(
        calm.requests().stream(),
        request -> new Trial(deed).survivesUnreachable(request, calm.account()));
  }

  @ParameterizedTest
  @EnumSource
  void whoeverComesAfterADeathBeforeARequestFindsNothingAmiss_F4_F5_G10_G11(Deed deed) {
    Trial.Calm calm = Trial.calm(deed);
    each(
        calm.requests().stream(),
        request -> new Trial(deed).survivesDeath(request, Hazard.End.DIES_BEFORE, calm.account()));
  }

  @ParameterizedTest
  @EnumSource
  void whoeverComesAfterADeathAfterAWriteFindsNothingAmiss_F4_F5_G10_G11(Deed deed) {
    Trial.Calm calm = Trial.calm(deed);
    each(
        calm.requests().stream().filter(request -> request.operation() == Operation.PUT),
        request -> new Trial(deed).survivesDeath(request, Hazard.End.DIES_AFTER, calm.account()));
  }

  /** All of them, so that one look tells which go wrong. */
  private static void each(Stream<Requested> requests, Consumer<Requested> trial) {
    List<String> failures = new ArrayList<>();
    List<Requested> all = requests.toList();
    for (Requested request : all) {
      try {
        trial.accept(request);
      } catch (AssertionError | RuntimeException e) {
        failures.add(request + ": " + e);
      }
    }
    assertThat(failures).isEmpty();
  }
}
