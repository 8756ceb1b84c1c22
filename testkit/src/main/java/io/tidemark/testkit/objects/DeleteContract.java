// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Deleting; under a condition only where the store says it can. */
interface DeleteContract {

  StoreFixture fixture();

  @Test
  default void aDeletedObjectIsGoneForEveryRead() {
    fixture().write("gone", "text");
    fixture().write("stays", "text");
    ObjectStore store = fixture().store();
    store.delete("gone");
    assertThat(store.get("gone")).isEmpty();
    assertThat(store.head("gone")).isEmpty();
    assertThat(store.openStream("gone")).isEmpty();
    assertThat(fixture().keys("")).containsExactly("stays");
    assertThat(fixture().text("stays")).isEqualTo("text");
  }

  @Test
  default void deletingWhatIsNotThereIsFine() {
    fixture().store().delete("never/was");
    fixture().write("key", "text");
    fixture().store().delete("key");
    fixture().store().delete("key");
    assertThat(fixture().keys("")).isEmpty();
  }

  @Test
  default void aDeleteIfMatchDeletesThatVersionOnly() {
    ETag stale = fixture().write("key", "first");
    ETag current = fixture().write("key", "second");
    ObjectStore store = fixture().store();
    if (!store.capabilities().conditionalDelete()) {
      assertRefusesToTry("key", current);
      return;
    }
    assertThat(store.deleteIfMatch("key", stale))
        .isEqualTo(new PreconditionFailed(Optional.of(current)));
    assertThat(fixture().text("key")).isEqualTo("second");
    assertThat(store.deleteIfMatch("key", current)).isEqualTo(DeleteResult.Deleted.DELETED);
    assertThat(fixture().text("key")).isEqualTo("(absent)");
  }

  @Test
  default void aDeleteIfMatchOfNothingFails() {
    ETag etag = fixture().write("key", "text");
    if (!fixture().store().capabilities().conditionalDelete()) {
      assertRefusesToTry("key", etag);
      return;
    }
    fixture().store().delete("key");
    assertThat(fixture().store().deleteIfMatch("key", etag))
        .isEqualTo(new PreconditionFailed(Optional.empty()));
  }

  private void assertRefusesToTry(String key, ETag etag) {
    String before = fixture().text(key);
    assertThatThrownBy(() -> fixture().store().deleteIfMatch(key, etag))
        .isInstanceOf(UnsupportedStoreException.class);
    assertThat(fixture().text(key)).isEqualTo(before);
  }
}
