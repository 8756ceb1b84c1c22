// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;

/** In memory. */
class MemoryWritersTest extends WritersContract {

  private final MemoryBackend bytes = new MemoryBackend();

  @Override
  ObjectStore open() {
    return new ObjectStore(bytes, Retry.standard());
  }

  @Override
  int rounds() {
    return 10;
  }
}
