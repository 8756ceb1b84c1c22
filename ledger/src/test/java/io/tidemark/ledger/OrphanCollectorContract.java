// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.OrphanCollector.Orphan;
import io.tidemark.ledger.commit.WriterSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** F32: attempts that came to nothing are found, and taken away when they are old. */
interface OrphanCollectorContract {

  LedgerFixture fixture();

  private Ledger withOrphans() {
    Ledger writer = fixture().init();
    try (Session session = writer.session(Models.all())) {
      session.ensure(Customer.of("c1", 1)).commit();
      session.ensure(Customer.of("c1", 2)).commit();
    }
    writer.close();
    WriterSettings usual = LedgerFixture.writer(Duration.ZERO);
    WriterSettings brief =
        new WriterSettings(
            "test",
            Duration.ofMillis(200),
            usual.lockTimeout(),
            usual.idleAfter(),
            usual.retry(),
            usual.time());
    fixture().write("commits/1-00000000/manifest.json", "{}");
    fixture().write("commits/1-00000000/entities/Customer.parquet", "12345");
    fixture().write("commits/3-ffffffff/entities/Customer.parquet", "12345");
    fixture().write("commits/readme.txt", "somebody else's");
    return fixture().open(LedgerFixture.options().withWriter(brief));
  }

  @Test
  default void f32_onlyAttemptsThatNobodyRefersToAreTaken() {
    Ledger ledger = withOrphans();
    Duration age = Duration.ofMillis(200);
    AwaitCondition.isTrue("they are old enough", () -> ledger.orphans().find(age).size() >= 2);

    List<Orphan> found = ledger.orphans().find(age);
    assertThat(found)
        .extracting(Orphan::directory, Orphan::commitId, Orphan::objects, Orphan::bytes)
        .containsExactly(
            tuple("commits/1-00000000/", 1L, 2, 7L), tuple("commits/3-ffffffff/", 3L, 1, 5L));
    found.forEach(ledger.orphans()::delete);

    assertThat(fixture().paths("commits/")).hasSize(5).contains("commits/readme.txt");
    assertThat(LedgerFixture.told(ledger, 2)).hasSize(1);
    assertThat(LedgerFixture.told(ledger, 1)).hasSize(1);
  }

  @Test
  default void f32_whatMayBeUnderWayIsLeftAlone() {
    Ledger ledger = withOrphans();

    assertThat(ledger.orphans().find(OrphanCollector.SAFE_AGE)).isEmpty();
    assertThatThrownBy(() -> ledger.orphans().find(Duration.ofMillis(199)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lease");
  }
}
