// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.store.BranchName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** F32: what branches have of their own is told from what goes by their names. */
class BranchNameTest {

  @ParameterizedTest
  @ValueSource(strings = {"dev", "meta", "a/meta", "meta/a", "dropped"})
  void documentsAreInAHomeWhateverTheBranchIsCalled(String text) {
    BranchName name = new BranchName(text);
    String home = name.epochDirectory("0000-epoch");

    assertThat(LedgerLayout.epochDirectoryOf(home + LedgerLayout.TYPES)).contains(home);
    assertThat(LedgerLayout.epochDirectoryOf(home + "meta/indices/entities/meta.json"))
        .contains(home);
    assertThat(LedgerLayout.epochDirectoryOf(name.directory() + LedgerLayout.HEAD)).isEmpty();
    assertThat(LedgerLayout.epochDirectoryOf(name.directory() + LedgerLayout.LOCK)).isEmpty();
    assertThat(LedgerLayout.epochDirectoryOf(name.directory() + "dropped/0000-epoch.json"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"meta/head.json", "branches/x", "branches/a b/0/meta/x", "commits/1-0/m"})
  void whatIsOfNoBranchIsInNoHome(String path) {
    assertThat(LedgerLayout.epochDirectoryOf(path)).isEmpty();
  }
}
