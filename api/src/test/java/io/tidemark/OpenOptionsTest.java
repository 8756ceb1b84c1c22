// SPDX-License-Identifier: Apache-2.0
package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenOptionsTest {

  @Test
  void passwordsOfDatabasesAreNotShown() {
    OpenOptions options =
        OpenOptions.at("./data")
            .withJdbc(Optional.of("jdbc:postgresql://host/db?user=me&password=secret"))
            .withReplicas(List.of("jdbc:postgresql://other/db?user=me&password=secret"));
    assertThat(options).hasToString("./data");
  }
}
