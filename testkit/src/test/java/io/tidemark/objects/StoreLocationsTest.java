// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a store is, as a person writes it; what is wrong with it, when something is. */
class StoreLocationsTest {

  private static void assertInvalid(String location, String... problem) {
    assertThatThrownBy(() -> ObjectStore.open(location).close())
        .isInstanceOfSatisfying(
            InvalidLocationException.class, e -> assertThat(e.code()).isEqualTo("invalid-location"))
        .hasMessageContainingAll(problem);
  }

  @Test
  void anEmptyLocationIsRefused() {
    assertInvalid("", "is empty", "write file:///dir");
    assertInvalid("  ", "is empty", "write file:///dir");
  }

  @Test
  void aSchemeThatNobodyKnowsIsRefusedWithThoseThatAreKnown() {
    for (String scheme : new String[] {"gs", "foo", "http"}) {
      String location = scheme + "://b";
      assertInvalid(
          location, location, "no store for \"" + scheme + ":\"", "s3://bucket/prefix or memory:");
    }
    assertInvalid("foo:bar", "\"foo:bar\"", "no store for \"foo:\"", "starts with ./");
  }

  @Test
  void s3WithoutItsModuleSaysWhichModuleIsMissing() {
    assertInvalid("s3://bucket/prefix", "\"s3://bucket/prefix\"", "tidemark-objects-s3");
  }

  @Test
  void whatMayBeAPasswordIsNotRepeated() {
    for (String location : new String[] {"gs://key:secret@b", "s3://key:se cret@b/p"}) {
      assertThatThrownBy(() -> ObjectStore.open(location))
          .isInstanceOf(InvalidLocationException.class)
          .hasMessageContaining("//...@b")
          .hasMessageNotContaining("cret")
          .hasNoCause();
    }
  }

  @Test
  void whatIsInMemoryHasNoName() {
    assertInvalid("memory:x", "\"memory:x\"", "write memory:");
    assertInvalid("memory:///x", "\"memory:///x\"", "write memory:");
  }

  @Test
  void aFileLocationMustNameADirectoryOfThisMachine(@TempDir Path directory) throws IOException {
    assertInvalid("file:relative", "\"file:relative\"", "three slashes");
    assertInvalid("file:///a#b", "\"file:///a#b\"", "%23");
    assertInvalid("file://host/dir", "\"file://host/dir\"", "three slashes");
    assertInvalid("file:///dir?durability=never", "durability=never", "?durability=sync");
    assertInvalid("file:///a b", "\"file:///a b\"", "write file:///dir");
    assertInvalid("a\u0000b", "is not the location of a store");
    Path file = Files.writeString(directory.resolve("file"), "text");
    assertInvalid(file.toString(), file.toString(), "is a file");
    assertInvalid(file.resolve("below").toString(), file.toString(), "is a file");
  }

  @Test
  void aFileLocationThatCantBeAPathIsRefused() {
    assertInvalid("file:///data/a%00b", "a%00b");
    assertInvalid("file:///data/#1", "file:///data/#1", "%23");
  }

  @Test
  void memoryIsANewStoreEachTime() {
    try (ObjectStore first = ObjectStore.open("memory:");
        ObjectStore second = ObjectStore.open("memory:")) {
      first.put("key", Body.of("text"), Condition.none());
      assertThat(second.get("key")).isEmpty();
      assertThat(first.toString()).isEqualTo("memory:");
    }
  }

  @Test
  void aPlainPathAndItsUriAreTheSamePlace(@TempDir Path directory) {
    Path odd = directory.resolve("a b?c#d%20e+é");
    try (ObjectStore byPath = ObjectStore.open(odd.toString());
        ObjectStore byUri = ObjectStore.open(odd.toUri().toString())) {
      byPath.put("meta/head.json", Body.of("text"), Condition.ifAbsent());
      assertThat(odd.resolve("meta/head.json")).hasContent("text");
      assertThat(byUri.get("meta/head.json").map(StoredObject::text)).contains("text");
      assertThat(byPath.toString()).isEqualTo(byUri.toString());
    }
  }
}
