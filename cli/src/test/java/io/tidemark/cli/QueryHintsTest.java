// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code tidemark query} says of questions that have no answer, or not the one expected. */
class QueryHintsTest extends LedgerCommandFixture {

  @BeforeEach
  void oneCommit() throws IOException {
    crm();
  }

  @Test
  void whoAsksForATimeBeforeTheTypeIsToldWhenItBegan() {
    Outcome text = run("query", "crm", "Product", "--as-of", "0");
    assertThat(text.out()).isEqualToIgnoringNewLines("no rows");
    assertThat(text.err())
        .contains("as of commit 0 nothing of entity:Product matches; its first row is of commit 1");

    Outcome json = run("query", "crm", "Product", "--as-of", "0", "--json");
    assertThat(json.out().trim())
        .isEqualTo(
            "{\"commit_id\":0,\"rows\":[],\"next\":null,\"hint\":\"as of commit 0 nothing of"
                + " entity:Product matches; its first row is of commit 1\"}");
    assertThat(json.err()).isEmpty();
    assertThat(done("query", "crm", "Product", "--json")).doesNotContain("hint");
  }

  @Test
  void countingTakesNoPartOfTheRows() {
    for (String option : new String[] {"--limit=1", "--offset=1", "--order=id", "--after=x"}) {
      Outcome refused = run("query", "crm", "Customer", "--count", option);
      assertThat(refused.exitCode()).as(option).isEqualTo(2);
      assertThat(refused.err())
          .contains("--count counts all rows; leave out --limit, --offset, --after and --order");
    }
  }

  @Test
  void whoOrdersByOneEndDoesNotNeedTheFilesOfTheOther() throws IOException {
    try (Stream<Path> files = Files.walk(objects(""))) {
      for (Path file : files.filter(f -> f.endsWith("Product.parquet")).toList()) {
        Files.delete(file);
      }
    }
    assertThat(done("query", "crm", "Sub", "--order", "left.age")).contains("c1    p1");
    assertThat(run("query", "crm", "Sub", "--order", "right.sku").exitCode()).isNotZero();
  }
}
