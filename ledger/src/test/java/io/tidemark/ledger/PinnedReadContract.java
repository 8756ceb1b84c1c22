// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.internal.transfer.LedgerExport;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * F18: whoever reads several types reads them all as of one commit, whatever is committed
 * meanwhile.
 */
interface PinnedReadContract {

  LedgerFixture fixture();

  /** Two types that say the same number in each commit. */
  private static void say(Ledger ledger, long number) {
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c1", number));
      session.ensure(Subscription.of("c1", "p1", number)).commit();
    }
    ledger.flush(); // so that the indices know of it too
  }

  private static List<String> rows(LedgerReader ledgerReader, TypeId type) {
    List<String> rows = new ArrayList<>();
    ledgerReader.asOf(
        type, ledgerReader.commitId(), row -> rows.add(row.commitId() + row.fieldsJson()));
    return rows;
  }

  @Test
  default void f18_typesThatAreReadOneAfterTheOtherAreOfOneCommit() {
    Ledger writer = fixture().init();
    say(writer, 1);
    LedgerReader before = fixture().open().reader();
    assertThat(rows(before, Models.CUSTOMER)).singleElement().asString().contains("\"age\":1,");

    say(writer, 2);

    assertThat(before.commitId()).isEqualTo(1);
    assertThat(rows(before, Models.SUBSCRIPTION))
        .singleElement()
        .asString()
        .startsWith("1{")
        .contains("\"seat_count\":1,");
    assertThat(rows(before, Models.CUSTOMER)).singleElement().asString().contains("\"age\":1,");
    assertThat(before.count(Models.SUBSCRIPTION)).isEqualTo(1);
    List<Long> history = new ArrayList<>();
    before.history(Models.SUBSCRIPTION, 0, row -> history.add(row.commitId()));
    assertThat(history).containsExactly(1L);
    assertThat(rows(writer.reader(), Models.SUBSCRIPTION))
        .singleElement()
        .asString()
        .startsWith("2{")
        .contains("\"seat_count\":2,");
  }

  @Test
  default void f18_anExportDuringWhichOthersCommitIsOfOneCommit() {
    Ledger writer = fixture().init();
    say(writer, 1);
    List<String> lines = new ArrayList<>();

    LedgerExport ledgerExport = new LedgerExport(fixture().open(), LedgerExportOptions.standard());
    ledgerExport.lines(
        line -> {
          if (lines.isEmpty()) {
            say(writer, 2); // with the first type told, and the second not yet
          }
          lines.add(line);
        });

    assertThat(ledgerExport.commitId()).isEqualTo(1);
    assertThat(lines)
        .anyMatch(line -> line.contains("\"Customer\"") && line.contains("\"age\":1,"))
        .anyMatch(line -> line.contains("\"Subscription\"") && line.contains("\"seat_count\":1,"))
        .noneMatch(line -> line.contains("\"age\":2,") || line.contains("\"seat_count\":2,"));
    assertThat(writer.log().head()).contains(2L);
  }
}
