// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.testkit.objects.ContractScale;

class HttpMemoryObjectsTest extends HttpObjectsContract {
  @Override
  ObjectBackend behind() {
    return new MemoryBackend();
  }

  /** More keys than a page has. */
  @Override
  protected ContractScale scale() {
    return new ContractScale(6, 20, 1_100, 200);
  }
}
