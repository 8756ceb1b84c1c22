// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.NameBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all suites about names need: a place for each test, and how much to do there. */
abstract class NamesContract {

  private NamesFixture fixture;

  /**
   * Opens the place of this test, which is empty when the test begins. Called several times in one
   * test, always for the same place, for instances that work side by side; each is closed when the
   * test ends.
   */
  protected abstract NameBackend open();

  /** How much to do. */
  protected NamesContractScale scale() {
    return NamesContractScale.standard();
  }

  @BeforeEach
  final void openNames() {
    fixture = new NamesFixture(this::open, scale());
  }

  @AfterEach
  final void closeNames() throws Exception {
    fixture.close();
  }

  /** What the tests work with. */
  public final NamesFixture fixture() {
    return fixture;
  }
}
