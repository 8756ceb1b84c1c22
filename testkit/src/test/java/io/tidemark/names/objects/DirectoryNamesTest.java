// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.NameBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.RamDirectory;
import io.tidemark.testkit.names.NameServiceContract;
import io.tidemark.testkit.names.NamesContractScale;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/**
 * The nameservice in a directory, in each layout. Their random histories have 200,000 operations
 * together.
 */
class DirectoryNamesTest {

  /** One layout. That writes outlast a power cut is shown by the tests of the directory itself. */
  abstract static class InDirectory extends NameServiceContract {
    private final DocumentLayout documentLayout;
    private final int operations;

    @TempDir(factory = RamDirectory.class)
    Path root;

    InDirectory(DocumentLayout documentLayout, int operations) {
      this.documentLayout = documentLayout;
      this.operations = operations;
    }

    @Override
    protected NameBackend open() {
      ObjectStore store =
          new ObjectStore(DirectoryBackend.open(root, Durability.PAGE_CACHE), Retry.standard());
      return new ObjectNameBackend(store, documentLayout, Retry.standard(), Clock.systemUTC());
    }

    @Override
    protected NamesContractScale scale() {
      return NamesContractScale.standard().withOperations(operations);
    }
  }

  @Nested
  class LayoutA extends InDirectory {
    LayoutA() {
      super(DocumentLayout.A, 20_000);
    }
  }

  @Nested
  class LayoutB extends InDirectory {
    LayoutB() {
      super(DocumentLayout.B, 160_000);
    }
  }

  @Nested
  class LayoutC extends InDirectory {
    LayoutC() {
      super(DocumentLayout.C, 20_000);
    }
  }
}
