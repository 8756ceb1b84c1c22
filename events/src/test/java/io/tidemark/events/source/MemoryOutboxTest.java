// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;

class MemoryOutboxTest extends OutboxContract {
  @Override
  ObjectBackend open() {
    return new MemoryBackend();
  }
}
