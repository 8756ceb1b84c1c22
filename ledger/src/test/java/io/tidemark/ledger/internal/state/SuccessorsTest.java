// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuccessorsTest {

  private final Successors successors = new Successors();

  @Test
  void eachVersionIsToldOfTheCommitOfTheNext() {
    successors.add(1, new EntityKey("a"));
    successors.add(1, new EntityKey("b"));
    successors.add(4, new EntityKey("a"));
    successors.add(9, new EntityKey("a"));

    assertThat(List.of(0L, 1L, 2L, 3L))
        .extracting(successors::of)
        .containsExactly(4L, Successors.NONE, 9L, Successors.NONE);
    assertThatThrownBy(() -> successors.of(4)).hasMessageContaining("there are 4 versions");
  }

  @Test
  void partsOfAnIdentityAreToldApart() {
    successors.add(1, new RelationKey("a", "bc", ""));
    successors.add(2, new RelationKey("ab", "c", ""));
    successors.add(3, new RelationKey("a", "bc", ""));

    assertThat(successors.of(0)).isEqualTo(3);
    assertThat(successors.of(1)).isEqualTo(Successors.NONE);
  }

  @Test
  void thereMayBeManyOfThem() {
    int identities = 20_000;
    for (int i = 0; i < 3 * identities; i++) {
      successors.add(1 + i / 7, new EntityKey("key-" + i % identities));
    }
    for (int i = 0; i < 3 * identities; i++) {
      long next = i < 2 * identities ? 1 + (i + identities) / 7 : Successors.NONE;
      assertThat(successors.of(i)).isEqualTo(next);
    }
  }
}
