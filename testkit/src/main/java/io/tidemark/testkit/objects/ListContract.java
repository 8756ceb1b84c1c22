// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.objects.ETag;
import io.tidemark.objects.InvalidKeyException;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Listing: each key once, in the order of its UTF-8 bytes, from anywhere, as far as one likes. */
interface ListContract {

  StoreFixture fixture();

  @Test
  default void anEmptyStoreListsNothing() {
    assertThat(fixture().keys("")).isEmpty();
    assertThat(fixture().names(Listing.children(""))).isEmpty();
    assertThat(fixture().names(Listing.children("a/"))).isEmpty();
  }

  @Test
  default void aListingDescribesEachObject() {
    ETag etag = fixture().write("a/b", "12345");
    try (Stream<ObjectInfo> listed = fixture().store().list("")) {
      ObjectInfo info = listed.toList().get(0);
      assertThat(info.key()).isEqualTo("a/b");
      assertThat(info.size()).isEqualTo(5);
      assertThat(info.etag()).isEqualTo(etag);
      assertThat(info.lastModified())
          .isCloseTo(fixture().store().clock().instant(), within(10, ChronoUnit.MINUTES));
    }
  }

  @Test
  default void keysComeInTheOrderOfTheirUtf8Bytes() {
    // Java's order of strings puts the emoji, a surrogate pair, before U+E000 and U+FFFD.
    List<String> ordered =
        fixture()
            .limits()
            .storable(
                List.of(
                    "A", "Z", "a", "a b", "a-b", "a.b", "a/b", "a0", "b", "~", "é", "中", "\uE000",
                    "\uFFFD", "😀", "😀/x", "😀z"));
    writeBackwards(ordered);
    assertThat(fixture().keys("")).isEqualTo(ordered);
    ordered.forEach(key -> assertThat(fixture().keys(key)).first().isEqualTo(key));
  }

  @Test
  default void aPrefixMayEndAnywhere() {
    writeAll("ab", "abc/1", "abc/2", "abd", "b", "x/abc");
    assertThat(fixture().keys("a")).containsExactly("ab", "abc/1", "abc/2", "abd");
    assertThat(fixture().keys("abc")).containsExactly("abc/1", "abc/2");
    assertThat(fixture().keys("abc/")).containsExactly("abc/1", "abc/2");
    assertThat(fixture().keys("abc/2")).containsExactly("abc/2");
    assertThat(fixture().keys("abc/2x")).isEmpty();
    assertThat(fixture().keys("B")).isEmpty();
  }

  @Test
  default void aListingStartsAfterAnyName() {
    writeAll("a", "b/1", "b/3", "b/5", "c");
    assertThat(after("", "")).containsExactly("a", "b/1", "b/3", "b/5", "c");
    assertThat(after("", "b/3")).containsExactly("b/5", "c");
    assertThat(after("", "b/2")).containsExactly("b/3", "b/5", "c");
    assertThat(after("", "b/")).containsExactly("b/1", "b/3", "b/5", "c");
    assertThat(after("", "c")).isEmpty();
    assertThat(after("b/", "b/1")).containsExactly("b/3", "b/5");
    assertThat(after("b/3", "b/3")).isEmpty();
  }

  @Test
  default void aStartOutsideThePrefixLeavesAllOrNothing() {
    writeAll("a", "b/1", "b/3", "c");
    assertThat(after("b/", "a")).containsExactly("b/1", "b/3");
    assertThat(after("b/", "b")).containsExactly("b/1", "b/3");
    assertThat(after("b/", "b0")).isEmpty();
    assertThat(after("b/", "z")).isEmpty();
  }

  private List<String> after(String prefix, String start) {
    return fixture().names(Listing.all(prefix).after(start));
  }

  @Test
  default void childrenAreKeysAndGroupsInOneOrder() {
    writeAll("a-b", "a.b", "a/b", "a/c/d", "a0", "b/1", "b/2", "c");
    assertThat(fixture().names(Listing.children("")))
        .containsExactly("a-b", "a.b", "a/", "a0", "b/", "c");
    assertThat(fixture().names(Listing.children("a"))).containsExactly("a-b", "a.b", "a/", "a0");
    assertThat(fixture().names(Listing.children("a/"))).containsExactly("a/b", "a/c/");
    assertThat(fixture().names(Listing.children("a/c/"))).containsExactly("a/c/d");
    assertThat(fixture().names(Listing.children("a/c"))).containsExactly("a/c/");
    assertThat(fixture().names(Listing.children("b/1"))).containsExactly("b/1");
  }

  @Test
  default void groupsAndObjectsAreToldApart() {
    ETag etag = fixture().write("a.json", "12");
    writeAll("b/1");
    try (Stream<Listing.Entry> children = fixture().store().list(Listing.children(""))) {
      List<Listing.Entry> entries = children.toList();
      assertThat(((Listing.Entry.Item) entries.get(0)).info().etag()).isEqualTo(etag);
      assertThat(entries.get(1)).isEqualTo(new Listing.Entry.Group("b/"));
      assertThat(entries).hasSize(2);
    }
  }

  @Test
  default void aKeyIsListedBesideTheGroupOfTheSameName() {
    List<String> keys = fixture().limits().storable(List.of("a", "a-b", "a/b", "a/b/c", "a0"));
    writeBackwards(keys);
    assertThat(fixture().keys("")).isEqualTo(keys);
    if (keys.contains("a/b/c")) {
      assertThat(fixture().names(Listing.children(""))).containsExactly("a", "a-b", "a/", "a0");
      assertThat(fixture().names(Listing.children("a/"))).containsExactly("a/b", "a/b/");
      assertThat(fixture().names(Listing.children("").after("a")))
          .containsExactly("a-b", "a/", "a0");
    }
  }

  @Test
  default void childrenStartAfterAnyName() {
    writeAll("a-b", "a/b", "a/c", "a0", "b/1");
    assertThat(childrenAfter("a-b")).containsExactly("a/", "a0", "b/");
    assertThat(childrenAfter("a.")).containsExactly("a/", "a0", "b/");
    assertThat(childrenAfter("a0")).containsExactly("b/");
    assertThat(childrenAfter("b")).containsExactly("b/");
    assertThat(childrenAfter("z")).isEmpty();
  }

  @Test
  default void aStartWithinAGroupCountsTheGroupAsListed() {
    writeAll("a-b", "a/b", "a/c", "a0", "b/1");
    assertThat(childrenAfter("a/")).containsExactly("a0", "b/");
    assertThat(childrenAfter("a/a")).containsExactly("a0", "b/");
    assertThat(childrenAfter("a/b")).containsExactly("a0", "b/");
    assertThat(childrenAfter("b/0")).isEmpty();
  }

  private List<String> childrenAfter(String start) {
    return fixture().names(Listing.children("").after(start));
  }

  @Test
  default void aGroupIsGoneWithItsLastObject() {
    writeAll("a/b/c", "a/d", "e");
    fixture().store().delete("a/b/c");
    assertThat(fixture().names(Listing.children("a/"))).containsExactly("a/d");
    fixture().store().delete("a/d");
    assertThat(fixture().names(Listing.children(""))).containsExactly("e");
  }

  @Test
  default void aLongListingIsCompleteAndInOrder() throws Exception {
    int count = fixture().scale().listedKeys();
    List<String> keys =
        IntStream.range(0, count).mapToObj(i -> String.format("k/%02x/%05d", i / 97, i)).toList();
    writeInParallel(keys);
    assertThat(fixture().keys("")).isEqualTo(keys);
    assertThat(fixture().keys("k/0"))
        .isEqualTo(keys.stream().filter(k -> k.startsWith("k/0")).toList());
    for (int i = 0; i < count; i += count / 5) {
      assertThat(after("k/", keys.get(i))).isEqualTo(keys.subList(i + 1, count));
    }
    List<String> groups = keys.stream().map(key -> key.substring(0, 5)).distinct().toList();
    assertThat(fixture().names(Listing.children("k/"))).isEqualTo(groups);
    assertCanStopEarly(keys);
  }

  private void assertCanStopEarly(List<String> keys) {
    for (int wanted : List.of(0, 1, 7)) {
      try (Stream<ObjectInfo> listed = fixture().store().list("")) {
        assertThat(listed.limit(wanted).map(ObjectInfo::key)).isEqualTo(keys.subList(0, wanted));
      }
    }
  }

  private void writeInParallel(List<String> keys) throws Exception {
    int threads = fixture().scale().threads();
    Race.run(
        threads,
        thread -> {
          for (int i = thread; i < keys.size(); i += threads) {
            fixture().write(keys.get(i), "");
          }
          return thread;
        });
  }

  @Test
  default void aPrefixThatNoKeyCanHaveIsRefused() {
    ObjectStore store = fixture().store();
    for (String bad : List.of("a\u0000", "a\n", "\uD800", "x".repeat(2000))) {
      assertThatThrownBy(() -> store.list(bad)).isInstanceOf(InvalidKeyException.class);
      assertThatThrownBy(() -> store.list(Listing.all("").after(bad)))
          .isInstanceOf(InvalidKeyException.class);
    }
  }

  private void writeAll(String... keys) {
    writeBackwards(List.of(keys));
  }

  /** So that a store which lists in the order of arrival is found out. */
  private void writeBackwards(List<String> keys) {
    List<String> backwards = new ArrayList<>(keys);
    Collections.reverse(backwards);
    backwards.forEach(key -> fixture().write(key, "of " + key));
  }
}
