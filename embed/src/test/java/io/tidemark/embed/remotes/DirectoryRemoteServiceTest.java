// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.remotes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Tidemark;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.testkit.remotes.RemoteServiceContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Runs the contract of remotes on a directory. */
final class DirectoryRemoteServiceTest extends RemoteServiceContract {

  @Override
  protected Tidemark open(Path store) {
    return Tidemark.open(store.toString());
  }

  @Test
  void namesWithoutAnObjectStoreHaveNoRemotes() {
    try (Tidemark memory = Tidemark.open("memory:")) {
      assertThatThrownBy(() -> memory.remotes().list())
          .isInstanceOf(InvalidLocationException.class)
          .hasMessageContaining("no object store");
    }
  }
}
