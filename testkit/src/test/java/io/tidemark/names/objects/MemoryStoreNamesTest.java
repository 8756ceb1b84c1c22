// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.NameBackend;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.names.NameServiceContract;
import java.time.Clock;
import org.junit.jupiter.api.Nested;

/** The nameservice in a store in memory, in each layout. */
class MemoryStoreNamesTest {

  /** One layout. */
  abstract static class InMemoryStore extends NameServiceContract {
    private final MemoryBackend place = new MemoryBackend();
    private final DocumentLayout documentLayout;

    InMemoryStore(DocumentLayout documentLayout) {
      this.documentLayout = documentLayout;
    }

    @Override
    protected NameBackend open() {
      ObjectStore store = new ObjectStore(place, Retry.standard());
      return new ObjectNameBackend(store, documentLayout, Retry.standard(), Clock.systemUTC());
    }
  }

  @Nested
  class LayoutA extends InMemoryStore {
    LayoutA() {
      super(DocumentLayout.A);
    }
  }

  @Nested
  class LayoutB extends InMemoryStore {
    LayoutB() {
      super(DocumentLayout.B);
    }
  }

  @Nested
  class LayoutC extends InMemoryStore {
    LayoutC() {
      super(DocumentLayout.C);
    }
  }
}
