// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.objects.InvalidLocationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A location chooses the layout of new records. */
class LayoutSettingTest {

  private static final Address MYDB = Address.parse("mydb");

  @TempDir private Path root;

  @ParameterizedTest
  @CsvSource({
    "?layout=A, main.json",
    "?layout=b, main.index.json main.json",
    "?durability=page-cache&layout=C, main.head.json main.index.json main.status.json",
    "?durability=page-cache, main.index.json main.json",
    "'', main.index.json main.json"
  })
  void aLocationChoosesTheLayoutOfNewRecords_decision8(String setting, String files)
      throws IOException {
    try (NameService names = NameService.open("file://" + root + setting)) {
      ConcernValue status = names.create(MYDB).status();
      names.ledgers().publishIndex(MYDB, Ref.of("i1", 1));
      ConcernValue next = ConcernValue.of(2, Payload.parse("{\"state\":\"x\"}"));
      names.push(MYDB, Concern.STATUS, Optional.of(status), next);
    }
    try (Stream<Path> found = Files.list(root.resolve("ns@v2/mydb"))) {
      assertThat(found.map(file -> file.getFileName().toString()).sorted())
          .containsExactlyElementsOf(List.of(files.split(" ")));
    }
    try (NameService usual = NameService.open(root.toString())) {
      assertThat(usual.find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i1", 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"layout=D", "layout=", "layout=A&layout=B"})
  void anotherLayoutIsRefused(String setting) {
    String location = "file://" + root + "?" + setting;
    assertThatThrownBy(() -> NameService.open(location))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining(location)
        .hasMessageContaining("write one of layout=A, layout=B and layout=C");
  }

  @Test
  void theStoreIsntToldOfIt() {
    assertThat(LayoutSetting.in("s3://b/p?region=r&layout=C&access=a"))
        .isEqualTo(new LayoutSetting("s3://b/p?region=r&access=a", DocumentLayout.C));
    assertThat(LayoutSetting.in("what?layout=C"))
        .isEqualTo(new LayoutSetting("what?layout=C", DocumentLayout.B));
  }
}
