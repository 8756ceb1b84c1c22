// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Everything that the description of the API promises was got by some test, and was as promised.
 * Run by the build after all tests of the module, and only if all were run.
 */
final class ResponseCoverageCheck {

  @Test
  void nothingIsPromisedThatNoTestGets() throws IOException {
    Set<String> unseen = new TreeSet<>(OpenApiResponseValidator.all());
    unseen.removeAll(ResponseCoverage.take());
    assertThat(unseen).isEmpty();
  }
}
