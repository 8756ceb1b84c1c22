// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;

class MemoryEventsTest extends EventsContract {
  @Override
  ObjectBackend open() {
    return new MemoryBackend();
  }
}
