// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import io.tidemark.testkit.objects.ContractScale;
import io.tidemark.testkit.objects.ObjectStoreContract;

class MemoryStoreTest extends ObjectStoreContract {
  private final MemoryBackend place = new MemoryBackend();

  @Override
  protected ObjectBackend open() {
    return place;
  }

  @Override
  protected ContractScale scale() {
    return ContractScale.fast();
  }
}
