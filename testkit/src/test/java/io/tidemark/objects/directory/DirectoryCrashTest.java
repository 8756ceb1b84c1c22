// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.objects.CrashContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryCrashTest extends CrashContract {

  @TempDir Path root;

  @Override
  protected String location() {
    return root.toString();
  }

  @Override
  protected void checkPlace() {
    assertThat(root.resolve(".tidemark/tmp")).isEmptyDirectory();
  }
}
