// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Long work of ledgers is told on a terminal, wiped in the end, and not told to programs. */
class ProgressVerbsTest extends LedgerVerbs {

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
