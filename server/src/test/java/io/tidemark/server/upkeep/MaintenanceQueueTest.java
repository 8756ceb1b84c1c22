// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.testkit.Seed;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Who is next, whatever is said in between. */
final class MaintenanceQueueTest {

  @Test
  void isWhatOneThatLooksThroughAllWouldSay() {
    Seed seed = Seed.of("MaintenanceQueueTest");
    RandomGenerator chance = seed.random();
    MaintenanceQueue maintenanceQueue = new MaintenanceQueue();
    Map<Address, Long> all = new HashMap<>();
    for (long step = 0; step < 10_000; step++) {
      Address address = Address.parse("l" + chance.nextInt(30));
      long at = step + chance.nextInt(100);
      switch (chance.nextInt(4)) {
        case 0 -> {
          maintenanceQueue.put(address, at);
          all.put(address, at);
        }
        case 1 -> {
          maintenanceQueue.remove(address);
          all.remove(address);
        }
        default -> {
          maintenanceQueue.noLaterThan(address, at);
          all.merge(address, at, Math::min);
        }
      }
      long now = step;
      Comparator<Map.Entry<Address, Long>> order =
          Map.Entry.<Address, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey());
      Optional<Map.Entry<Address, Long>> first = all.entrySet().stream().min(order);
      assertThat(maintenanceQueue.next().stream().boxed().findFirst())
          .isEqualTo(first.map(Map.Entry::getValue));
      assertThat(maintenanceQueue.due(now))
          .isEqualTo(first.filter(entry -> entry.getValue() <= now).map(Map.Entry::getKey));
    }
  }
}
