// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.ObjectStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** In a directory. */
class DirectoryProcessesTest extends WritingProcessesContract {

  @TempDir Path root;

  @Override
  String location() {
    return root.toString();
  }

  @Override
  ObjectStore open() {
    return ObjectStore.open(location());
  }
}
