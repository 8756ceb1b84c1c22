// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of other programs are sorted, also when they are too many for memory. */
class ExternalRowSorterTest {

  private static final TypeSchema THING =
      DeclaredSchema.parse(
              "{\"entity\": \"Thing\", \"key\": \"id\", \"fields\": {\"id\": \"string\"}}")
          .get(0);

  @ParameterizedTest
  @ValueSource(longs = {1 << 20, 3_000})
  void theyComeByCommitAndIdentityWhateverIsSetAside(long partBytes) {
    List<Row> sorted = new ArrayList<>();
    for (long commit = 1; commit <= 20; commit++) {
      for (String key : List.of("a", "b", "é", "😀")) {
        sorted.add(new Row(commit, new EntityKey(key), 1, "{\"id\":\"" + key + "\"}"));
      }
    }
    List<Row> shuffled = new ArrayList<>(sorted);
    Collections.shuffle(shuffled, new Random(7));
    List<Row> told = new ArrayList<>();
    try (ExternalRowSorter rows = new ExternalRowSorter(THING, partBytes)) {
      shuffled.forEach(rows::add);
      rows.forEach(told::add);
    }

    assertThat(told).isEqualTo(sorted);
  }

  @ParameterizedTest
  @ValueSource(longs = {1 << 20, 1})
  void equalOnesStayInTheirOrder(long partBytes) {
    List<Row> told = new ArrayList<>();
    try (ExternalRowSorter rows = new ExternalRowSorter(THING, partBytes)) {
      rows.add(new Row(2, new EntityKey("a"), 1, "{}"));
      rows.add(new Row(1, new EntityKey("a"), 1, "{\"id\":1}"));
      rows.add(new Row(1, new EntityKey("a"), 1, "{\"id\":2}"));
      rows.forEach(told::add);
    }

    assertThat(told).extracting(Row::fieldsJson).containsExactly("{\"id\":1}", "{\"id\":2}", "{}");
  }
}
