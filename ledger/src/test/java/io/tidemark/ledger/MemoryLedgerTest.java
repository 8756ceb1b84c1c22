// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;

class MemoryLedgerTest extends LedgerContract {
  @Override
  ObjectBackend open() {
    return new MemoryBackend();
  }
}
