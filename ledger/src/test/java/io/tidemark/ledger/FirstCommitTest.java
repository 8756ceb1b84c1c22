// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.Requests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FirstCommitTest {

  private final CountingBackend counting = new CountingBackend(new MemoryBackend());
  private final ObjectStore store = new ObjectStore(counting, Retry.standard());

  private Ledger ledger() {
    new LedgerInit(store, "").init();
    WriterSettings standard = WriterSettings.standard();
    WriterSettings patient =
        new WriterSettings(
            "test",
            standard.leaseTtl(),
            standard.lockTimeout(),
            Duration.ofMinutes(1),
            standard.retry(),
            new FakeTime());
    return Ledger.open(store, "", LedgerOptions.standard().withWriter(patient));
  }

  @Test
  void commitsAndTellsWhatChanged() {
    try (Ledger ledger = ledger();
        Session session = ledger.session(Models.all())) {
      session.ensure(List.of(Customer.of("c1", 30), Product.of("p1")));
      session.ensure(Subscription.of("c1", "p1", 5));

      assertThat(session.commit(Map.of("why", "first")).orElseThrow().id()).isEqualTo(1);
      assertThat(session.ensure(Customer.of("c1", 30)).commit()).isEmpty();
      assertThat(session.ensure(Customer.of("c1", 31)).commit().orElseThrow().id()).isEqualTo(2);

      List<Change> changes = new ArrayList<>();
      assertThat(ledger.log().changes(2, changes::add)).isTrue();
      assertThat(changes).hasSize(1);
      assertThat(changes.get(0).operation()).isEqualTo(Change.Operation.UPDATE_VERSION);
    }
  }

  @Test
  void aWarmCommitOfKTypesTakesKPlusTwoRequestsInTwoRoundTrips() {
    try (Ledger ledger = ledger();
        Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c1", 30)).ensure(Product.of("p1")).commit();
      session.ensure(Subscription.of("c1", "p1", 1)).commit();
      ledger.flush();

      counting.reset();
      session.ensure(Customer.of("c2", 30)).commit();
      ledger.flush();
      Requests all = counting.requests();

      assertThat(all.of(Operation.PUT)).isEqualTo(4);
      assertThat(all.total()).isEqualTo(4);
    }
  }
}
