// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.ChangeMarker;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.WriteResult;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The marker as an object beside those of the records, where other programs won't look for any. */
final class ObjectChangeMarker implements ChangeMarker {

  static final String KEY = "ns-watch/changes.json";

  private final ObjectStore store;

  ObjectChangeMarker(ObjectStore store) {
    this.store = store;
  }

  @Override
  public State read(Optional<String> known) {
    return known.map(version -> readAgain(new ETag(version))).orElseGet(this::readFirst);
  }

  private State readFirst() {
    Optional<StoredObject> object = store.get(KEY);
    return object.isPresent() ? says(object.get().etag(), object.get().bytes()) : Absent.BLANK;
  }

  private State readAgain(ETag known) {
    ReadResult<byte[]> result = store.getIfChanged(KEY, known);
    if (result instanceof ReadResult.NotModified<byte[]>) {
      return Unchanged.UNCHANGED;
    }
    return result instanceof ReadResult.Found<byte[]> found
        ? says(found.etag(), found.content())
        : Absent.BLANK;
  }

  private static State says(ETag etag, byte[] bytes) {
    return new Current(etag.value(), new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public Optional<String> write(Optional<String> known, String text) {
    Condition condition = Condition.unchanged(known.map(ETag::new));
    WriteResult result = store.put(KEY, Body.of(text.getBytes(StandardCharsets.UTF_8)), condition);
    return result instanceof WriteResult.Written written
        ? Optional.of(written.etag().value())
        : Optional.empty();
  }
}
