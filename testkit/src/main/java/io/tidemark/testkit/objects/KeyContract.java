// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.InvalidKeyException;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key that is allowed works and is no other key; every other is refused unsent. */
interface KeyContract {

  StoreFixture fixture();

  @Test
  default void noKeyIsTakenForAnother() {
    List<String> keys = fixture().limits().storable(EdgeCaseKeys.all());
    keys.forEach(key -> create(key, "of " + key));
    keys.forEach(key -> assertThat(fixture().text(key)).as(key).isEqualTo("of " + key));
    assertThat(fixture().keys("")).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(fixture().keys("")).isEqualTo(keys.stream().sorted(ObjectKeys.ORDER).toList());
  }

  @Test
  default void deletingAKeyLeavesEveryOther() {
    List<String> keys = fixture().limits().storable(EdgeCaseKeys.all());
    keys.forEach(key -> create(key, "of " + key));
    List<String> gone = everySecond(keys);
    gone.forEach(key -> fixture().store().delete(key));
    gone.forEach(key -> assertThat(fixture().text(key)).as(key).isEqualTo("(absent)"));
    List<String> left = keys.stream().filter(key -> !gone.contains(key)).toList();
    left.forEach(key -> assertThat(fixture().text(key)).as(key).isEqualTo("of " + key));
    assertThat(fixture().keys("")).containsExactlyInAnyOrderElementsOf(left);
  }

  private void create(String key, String text) {
    assertThat(fixture().store().put(key, Body.of(text), Condition.ifAbsent()).written())
        .as(key)
        .isTrue();
  }

  private static List<String> everySecond(List<String> keys) {
    return Stream.iterate(0, i -> i < keys.size(), i -> i + 2).map(keys::get).toList();
  }

  @Test
  default void aKeyAndAKeyBelowItAreTwoObjects() {
    List<String> keys = fixture().limits().storable(List.of("a", "a/b", "a/b/c"));
    keys.forEach(key -> create(key, "of " + key));
    String first = keys.get(0);
    fixture().store().delete(first);
    assertThat(fixture().keys("")).isEqualTo(keys.subList(1, keys.size()));
    create(first, "again");
    String last = keys.get(keys.size() - 1);
    fixture().store().delete(last);
    assertThat(fixture().keys("")).isEqualTo(keys.stream().filter(k -> !k.equals(last)).toList());
  }

  @Test
  default void theLongestKeyWorks() {
    String key = EdgeCaseKeys.ofLength(fixture().limits().keyBytes());
    ETag etag = fixture().write(key, "first");
    assertThat(fixture().store().put(key, Body.of("second"), Condition.ifMatch(etag)).written())
        .isTrue();
    assertThat(fixture().text(key)).isEqualTo("second");
    assertThat(fixture().keys("")).containsExactly(key);
    assertThat(fixture().keys(key)).containsExactly(key);
    fixture().store().delete(key);
    assertThat(fixture().keys("")).isEmpty();
  }

  @Test
  default void aBadKeyIsRefusedBeforeAnythingIsSent(@TempDir Path directory) {
    CountingBackend counting = new CountingBackend(fixture().backend());
    ObjectStore store = new ObjectStore(counting, Retry.standard());
    ETag etag = new ETag("0");
    for (String bad : badKeys()) {
      assertInvalid(bad, () -> store.get(bad));
      assertInvalid(bad, () -> store.getIfChanged(bad, etag));
      assertInvalid(bad, () -> store.openStream(bad));
      assertInvalid(bad, () -> store.download(bad, directory.resolve("file")));
      assertInvalid(bad, () -> store.head(bad));
      assertInvalid(bad, () -> store.put(bad, Body.of("x"), Condition.none()));
      assertInvalid(bad, () -> store.put(bad, Body.of("x"), Condition.ifAbsent()));
      assertInvalid(bad, () -> store.put(bad, Body.of("x"), Condition.ifMatch(etag)));
      assertInvalid(bad, () -> store.delete(bad));
      assertInvalid(bad, () -> store.deleteIfMatch(bad, etag));
    }
    assertThat(counting.requests().total()).isZero();
    assertThat(fixture().keys("")).isEmpty();
  }

  private static List<String> badKeys() {
    return List.of(
        "",
        ".",
        "..",
        "/",
        "a/..",
        "../a",
        "a/../b",
        "./a",
        "a/./b",
        "/a",
        "a/",
        "a//b",
        "a\u0000b",
        "a\nb",
        "a\u007Fb",
        "k".repeat(2000),
        "k".repeat(1025),
        "é".repeat(513),
        "\uD800",
        "a\uDC00b",
        "\uDE00\uD83D");
  }

  private static void assertInvalid(String key, Runnable call) {
    assertThatThrownBy(call::run)
        .as("\"%s\"", key)
        .isInstanceOf(InvalidKeyException.class)
        .hasMessageStartingWith("the key \"");
  }
}
