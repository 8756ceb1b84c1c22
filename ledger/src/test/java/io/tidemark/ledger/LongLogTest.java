// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestCounts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** F31: what a history of a thousand commits costs those who look at a part of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LongLogTest {

  private static final int COMMITS = 1000;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());

  @BeforeAll
  void write() {
    Ledger ledger = fixture.init();
    try (Session session =
        ledger.session(RecordType.of(Customer.class), RecordType.of(Product.class))) {
      for (int i = 1; i <= COMMITS; i++) {
        // The product comes once, in the middle: its rows are found past many commits.
        session.ensure(i == COMMITS / 2 ? Product.of("p") : Customer.of("c" + i % 7, i)).commit();
      }
    }
    ledger.close();
  }

  @AfterAll
  void close() {
    fixture.close();
  }

  @Test
  void f31_anyCommitIsFoundInFewRequests() {
    long most = 0;
    for (long id = 1; id <= COMMITS; id++) {
      Ledger ledger = fixture.open();
      long wanted = id;
      RequestCounts requestCounts =
          fixture
              .counting()
              .during(
                  () -> assertThat(ledger.log().get(wanted).orElseThrow().id()).isEqualTo(wanted));
      most = Math.max(most, requestCounts.total());
      ledger.close();
    }
    // One look at the head, and at most two steps for each doubling of the distance.
    assertThat(most).isLessThanOrEqualTo(1 + 2 * 10);
  }

  @Test
  void f31_theNewestCommitsCostARequestEach() {
    Ledger ledger = fixture.open();
    List<Long> ids = new ArrayList<>();
    RequestCounts requestCounts =
        fixture
            .counting()
            .during(() -> ledger.log().newestFirst(0).limit(10).forEach(c -> ids.add(c.id())));

    assertThat(ids).containsExactly(1000L, 999L, 998L, 997L, 996L, 995L, 994L, 993L, 992L, 991L);
    assertThat(requestCounts.total()).isLessThanOrEqualTo(11);
    assertThat(requestCounts.of(Operation.GET)).isEqualTo(requestCounts.total());
  }

  @Test
  void f31_changesOfACommitAreToldFromTheFilesOfItsType() {
    Ledger ledger = fixture.open();
    RequestCounts requestCounts =
        fixture
            .counting()
            .during(
                () ->
                    assertThat(LedgerFixture.told(ledger, COMMITS / 2))
                        .singleElement()
                        .asString()
                        .startsWith("insert entity:Product p "));

    assertThat(requestCounts.total()).isLessThanOrEqualTo(1 + 2 * 10 + 2);
  }
}
