// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class NextVersionTableTest {

  private final NextVersionTable nextVersionTable = new NextVersionTable();

  @Test
  void eachVersionIsToldOfTheCommitOfTheNext() {
    nextVersionTable.add(1, new EntityKey("a"));
    nextVersionTable.add(1, new EntityKey("b"));
    nextVersionTable.add(4, new EntityKey("a"));
    nextVersionTable.add(9, new EntityKey("a"));

    assertThat(List.of(0L, 1L, 2L, 3L))
        .extracting(nextVersionTable::of)
        .containsExactly(4L, NextVersionTable.NONE, 9L, NextVersionTable.NONE);
    assertThatThrownBy(() -> nextVersionTable.of(4)).hasMessageContaining("there are 4 versions");
  }

  @Test
  void partsOfAnIdentityAreToldApart() {
    nextVersionTable.add(1, new RelationKey("a", "bc", ""));
    nextVersionTable.add(2, new RelationKey("ab", "c", ""));
    nextVersionTable.add(3, new RelationKey("a", "bc", ""));

    assertThat(nextVersionTable.of(0)).isEqualTo(3);
    assertThat(nextVersionTable.of(1)).isEqualTo(NextVersionTable.NONE);
  }

  @Test
  void thereMayBeManyOfThem() {
    int identities = 20_000;
    for (int i = 0; i < 3 * identities; i++) {
      nextVersionTable.add(1 + i / 7, new EntityKey("key-" + i % identities));
    }
    for (int i = 0; i < 3 * identities; i++) {
      long next = i < 2 * identities ? 1 + (i + identities) / 7 : NextVersionTable.NONE;
      assertThat(nextVersionTable.of(i)).isEqualTo(next);
    }
  }
}
