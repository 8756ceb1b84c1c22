// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.names.Address;
import io.tidemark.objects.InvalidLocationException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedTidemarkTest {

  @TempDir private Path directory;

  @Test
  void aDirectoryIsOpenedByItsPath() {
    Address address = Address.parse("crm");
    try (Tidemark tidemark = Tidemark.open(directory.resolve("data").toString())) {
      tidemark.names().create(address);
    }
    try (Tidemark again = Tidemark.open(directory.resolve("data").toString())) {
      assertThat(again.names().find(address)).isPresent();
      assertThat(again.objects()).isPresent();
    }
  }

  @Test
  void objectsCanLieInAnotherStoreThanTheNames() {
    OpenOptions options =
        OpenOptions.at("memory:").withObjects(Optional.of(directory.resolve("other").toString()));
    try (Tidemark tidemark = Tidemark.open(options)) {
      assertThat(tidemark.objects().orElseThrow().capabilities().location())
          .isEqualTo(directory.resolve("other").toUri().toString());
    }
  }

  @Test
  void theUrlOfAServerNeedsTheModuleThatOpensIt() {
    assertThatThrownBy(() -> Tidemark.open("http://127.0.0.1:1"))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining("tidemark-client");
  }

  @Test
  void optionsInAMessageShowNoPassword() {
    OpenOptions options =
        OpenOptions.at("./data").withJdbc(Optional.of("jdbc:postgresql://h/db?password=secret"));

    assertThat(options).hasToString("./data");
  }
}
