// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Writing under the three conditions, and that everybody sees what was written. */
interface WriteContract {

  StoreFixture fixture();

  @Test
  default void anUnconditionalWriteCreatesAndReplaces() {
    ETag first = fixture().write("key", "first");
    assertThat(fixture().text("key")).isEqualTo("first");
    ETag second = fixture().write("key", "second");
    assertThat(fixture().text("key")).isEqualTo("second");
    assertThat(second).isNotEqualTo(first);
  }

  @Test
  default void aWriteIfAbsentCreates() {
    WriteResult result = fixture().store().put("key", Body.of("mine"), Condition.ifAbsent());
    assertThat(result.written()).isTrue();
    assertThat(fixture().text("key")).isEqualTo("mine");
  }

  @Test
  default void aWriteIfAbsentReplacesNothingAndTellsTheCurrentVersion() {
    ETag current = fixture().write("key", "theirs");
    WriteResult result = fixture().store().put("key", Body.of("mine"), Condition.ifAbsent());
    assertThat(result).isEqualTo(new PreconditionFailed(Optional.of(current)));
    assertThat(fixture().text("key")).isEqualTo("theirs");
  }

  @Test
  default void aWriteIfAbsentCreatesAgainWhatWasDeleted() {
    fixture().write("key", "old");
    fixture().store().delete("key");
    WriteResult result = fixture().store().put("key", Body.of("new"), Condition.ifAbsent());
    assertThat(result.written()).isTrue();
    assertThat(fixture().text("key")).isEqualTo("new");
  }

  @Test
  default void aWriteIfMatchReplacesThatVersion() {
    ETag first = fixture().write("key", "first");
    WriteResult result = fixture().store().put("key", Body.of("next"), Condition.ifMatch(first));
    assertThat(result.written()).isTrue();
    assertThat(fixture().text("key")).isEqualTo("next");
  }

  @Test
  default void aWriteIfMatchReplacesNoOtherVersionAndTellsTheCurrentOne() {
    ETag stale = fixture().write("key", "first");
    ETag current = fixture().write("key", "second");
    WriteResult result = fixture().store().put("key", Body.of("third"), Condition.ifMatch(stale));
    assertThat(result).isEqualTo(new PreconditionFailed(Optional.of(current)));
    assertThat(fixture().text("key")).isEqualTo("second");
  }

  @Test
  default void aWriteIfMatchCreatesNothing() {
    ETag elsewhere = fixture().write("other", "text");
    WriteResult result =
        fixture().store().put("key", Body.of("mine"), Condition.ifMatch(elsewhere));
    assertThat(result).isEqualTo(new PreconditionFailed(Optional.empty()));
    assertThat(fixture().text("key")).isEqualTo("(absent)");
    assertThat(fixture().keys("")).containsExactly("other");
  }

  @Test
  default void aWriteIfMatchBringsBackNothingThatWasDeleted() {
    ETag gone = fixture().write("key", "old");
    fixture().store().delete("key");
    WriteResult result = fixture().store().put("key", Body.of("new"), Condition.ifMatch(gone));
    assertThat(result).isEqualTo(new PreconditionFailed(Optional.empty()));
    assertThat(fixture().text("key")).isEqualTo("(absent)");
  }

  @Test
  default void theVersionThatAWriteReturnsIsTheOneThatEveryReadShows() {
    ETag etag = fixture().write("key", "text");
    ObjectStore store = fixture().store();
    assertThat(store.get("key").map(StoredObject::etag)).contains(etag);
    assertThat(store.head("key").map(ObjectInfo::etag)).contains(etag);
    try (Stream<ObjectInfo> listed = store.list("key")) {
      assertThat(listed.map(ObjectInfo::etag)).containsExactly(etag);
    }
  }

  @Test
  default void equalBytesMayBeWrittenAgainAndAgain() {
    ETag etag = fixture().write("key", "same");
    for (int i = 0; i < 3; i++) {
      WriteResult result = fixture().store().put("key", Body.of("same"), Condition.ifMatch(etag));
      assertThat(result.written()).isTrue();
      etag = ((Written) result).etag();
      assertThat(fixture().store().head("key").map(ObjectInfo::etag)).contains(etag);
    }
    assertThat(fixture().text("key")).isEqualTo("same");
  }

  @Test
  default void anInstanceSeesAtOnceWhatAnotherDid() {
    ObjectStore other = fixture().another();
    ETag first = fixture().write("key", "first");
    assertThat(other.get("key").map(StoredObject::text)).contains("first");

    WriteResult second = other.put("key", Body.of("second"), Condition.ifMatch(first));
    assertThat(second.written()).isTrue();
    assertThat(fixture().text("key")).isEqualTo("second");
    assertThat(fixture().store().put("key", Body.of("third"), Condition.ifMatch(first)))
        .isEqualTo(new PreconditionFailed(Optional.of(((Written) second).etag())));

    other.delete("key");
    assertThat(fixture().text("key")).isEqualTo("(absent)");
    assertThat(fixture().keys("")).isEmpty();
  }

  @Test
  default void objectsOutliveTheInstanceThatWroteThem() {
    ETag etag;
    try (ObjectStore first = fixture().another()) {
      etag = ((Written) first.put("a/b", Body.of("text"), Condition.ifAbsent())).etag();
    }
    StoredObject found = fixture().another().get("a/b").orElseThrow();
    assertThat(found.text()).isEqualTo("text");
    assertThat(found.etag()).isEqualTo(etag);
  }
}
