// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.NameBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.names.NameServiceContract;
import io.tidemark.testkit.names.NamesScale;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The nameservice in a directory, in each layout. */
class DirectoryNamesTest {

  /** One layout. That writes outlast a power cut is shown by the tests of the directory itself. */
  abstract static class InDirectory extends NameServiceContract {
    private final Layout layout;

    @TempDir Path root;

    InDirectory(Layout layout) {
      this.layout = layout;
    }

    @Override
    protected NameBackend open() {
      ObjectStore store =
          new ObjectStore(DirectoryBackend.open(root, Durability.PAGE_CACHE), Retry.standard());
      return new ObjectNameBackend(store, layout, Retry.standard(), Clock.systemUTC());
    }

    @Override
    protected NamesScale scale() {
      return NamesScale.standard().withOperations(20_000);
    }
  }

  @Nested
  class LayoutA extends InDirectory {
    LayoutA() {
      super(Layout.A);
    }
  }

  @Nested
  class LayoutB extends InDirectory {
    LayoutB() {
      super(Layout.B);
    }
  }

  @Nested
  class LayoutC extends InDirectory {
    LayoutC() {
      super(Layout.C);
    }
  }
}
