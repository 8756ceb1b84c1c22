// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.testkit.names.NameServiceContract;
import io.tidemark.testkit.names.NamesContractScale;

class MemoryNamesTest extends NameServiceContract {
  private final MemoryNameBackend place = new MemoryNameBackend();

  @Override
  protected NameBackend open() {
    return place;
  }

  @Override
  protected NamesContractScale scale() {
    return NamesContractScale.fast();
  }
}
