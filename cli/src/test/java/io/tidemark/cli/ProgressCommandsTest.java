// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Long work of ledgers is told on a terminal, wiped in the end, and not told to programs. */
class ProgressCommandsTest extends LedgerCommandFixture {

  private static final String WIPED = "\r" + " ".repeat(78) + "\r";

  /** So many customers of an age, in one commit. */
  private void commit(String ledger, int rows, int age) throws IOException {
    String lines =
        IntStream.range(0, rows)
            .mapToObj(n -> "{\"id\":\"c%d\",\"age\":%d}\n".formatted(n, age))
            .collect(Collectors.joining());
    done("commit", ledger, file("rows.jsonl", lines), "--type", "Customer");
  }

  /** What was said, once each, without the blanks that fill a line. */
  private static void said(Outcome outcome, String... lines) {
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.err()).endsWith(WIPED);
    String told = outcome.err().substring(0, outcome.err().length() - WIPED.length());
    assertThat(told.split("\r")).extracting(String::strip).contains(lines);
  }

  @Test
  void aCompactionTellsHowManyRowsAreMerged() throws IOException {
    crm();
    commit("crm", 1_500, 1);
    commit("crm", 1_500, 2);

    assertThat(watched("compact", "crm", "--all").err()).as("only planned").isEmpty();
    said(
        watched("compact", "crm", "--all", "--apply"),
        "entity:Customer: 513 of 3002 rows merged",
        "entity:Customer: 2561 of 3002 rows merged");
  }

  @Test
  void aCommitTellsHowManyRowsAreRead() throws IOException {
    crm();
    String lines =
        IntStream.range(0, 2_500)
            .mapToObj(n -> "{\"id\":\"c%d\",\"age\":1}\n".formatted(n))
            .collect(Collectors.joining());
    said(
        watched("commit", "crm", file("rows.jsonl", lines), "--type", "Customer"),
        "1000 rows read",
        "2000 rows read");
  }

  @Test
  void aCollectionTellsHowManyAreDeleted() throws IOException {
    crm();
    for (String left : List.of("2-dead", "2-gone")) {
      Path orphan = objects("commits/" + left + "/entities/Customer.parquet");
      Files.createDirectories(orphan.getParent());
      Files.writeString(orphan, "x");
      Files.setLastModifiedTime(orphan, FileTime.from(Instant.now().minusSeconds(3 * 86_400)));
    }
    said(watched("gc", "crm", "--apply"), "1 of 2 deleted", "2 of 2 deleted");
  }

  @Test
  void mergesAndDifferencesTellHowManyRowsAreCompared() throws IOException {
    crm();
    done("branch", "create", "crm", "dev");
    commit("crm:dev", 1_500, 5);
    age("c1", 77);
    age("c1", 5);

    said(watched("diff", "crm", "main..dev"), "1000 rows compared");
    assertThat(watched("merge", "crm", "dev", "--json").err()).as("a program reads").isEmpty();
    said(watched("merge", "crm", "dev"), "1000 rows compared");
    said(watched("merge", "crm", "dev", "--apply"), "1000 rows compared");
  }
}
