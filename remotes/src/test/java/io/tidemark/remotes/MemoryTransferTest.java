// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;

class MemoryTransferTest extends TransferContract {

  @Override
  ObjectBackend open(String name) {
    return new MemoryBackend();
  }
}
