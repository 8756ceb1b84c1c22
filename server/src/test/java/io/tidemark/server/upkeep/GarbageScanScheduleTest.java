// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ledgers are searched one after the other, also after a start. */
final class GarbageScanScheduleTest {

  private static final MaintenanceSchedule RHYTHM = MaintenanceSchedule.standard();

  /** Which chance it is has to be sure: the first searches could all be at once. */
  private final GarbageScanSchedule garbageScanSchedule =
      new GarbageScanSchedule(RHYTHM, new SplittableRandom(1));

  private final List<Address> ledgers =
      IntStream.range(0, 1000).mapToObj(i -> Address.parse("l" + i)).toList();

  private long begunAt(long now) {
    return ledgers.stream().filter(address -> garbageScanSchedule.tryBegin(address, now)).count();
  }

  @Test
  void theFirstSearchesAreSpreadOverARound() {
    long round = RHYTHM.sweep().toNanos();
    assertThat(begunAt(0)).isLessThan(10);
    long all = 0;
    for (int tenth = 1; tenth <= 10; tenth++) {
      long begun = begunAt(round * tenth / 10);
      assertThat(begun).isBetween(50L, 200L);
      all += begun;
    }
    assertThat(all).isEqualTo(1000);
  }

  @Test
  void theNextSearchIsSoMuchLater() {
    Address ledger = ledgers.get(0);
    long first = garbageScanSchedule.next(ledger, 0);
    assertThat(garbageScanSchedule.tryBegin(ledger, first - 1)).isFalse();
    assertThat(garbageScanSchedule.tryBegin(ledger, first)).isTrue();
    assertThat(garbageScanSchedule.tryBegin(ledger, first)).isFalse();
    assertThat(garbageScanSchedule.next(ledger, first))
        .isEqualTo(first + RHYTHM.collect().toNanos());
  }
}
