// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.WriteResult.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A number in an object that is raised by reading it and writing it back if it is still the same.
 * Each write holds something of its own besides the number, because a store may derive the ETag
 * from the bytes.
 */
final class Counter {

  /** A version that was replaced, and the one that took its place. */
  record Step(ETag from, ETag to) {}

  private final ObjectStore store;
  private final String key;

  Counter(ObjectStore store, String key) {
    this.store = store;
    this.key = key;
  }

  /** The number an object holds. */
  static long value(StoredObject object) {
    return Long.parseLong(object.text().split(" ", -1)[0]);
  }

  /** Raises the number so many times, however often others come first. */
  List<Step> increment(int times) {
    List<Step> steps = new ArrayList<>();
    while (steps.size() < times) {
      tryIncrement().ifPresent(steps::add);
    }
    return steps;
  }

  /** Raises the number once; empty when another came first. */
  Optional<Step> tryIncrement() {
    StoredObject now = store.get(key).orElseThrow();
    Body next = Body.of((value(now) + 1) + " " + UUID.randomUUID());
    return store.put(key, next, Condition.ifMatch(now.etag())) instanceof Written written
        ? Optional.of(new Step(now.etag(), written.etag()))
        : Optional.empty();
  }
}
