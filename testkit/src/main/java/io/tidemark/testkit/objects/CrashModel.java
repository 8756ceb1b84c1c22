// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoredObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the runs of {@link CrashWorker} were promised, and whether a store keeps it. */
final class CrashModel {
  private final Map<String, Long> counters = new HashMap<>();
  private final Map<String, Long> replaced = new HashMap<>();
  private final Map<String, Long> created = new TreeMap<>();
  private final Set<String> deleting = new HashSet<>();
  private final Set<String> deleted = new HashSet<>();
  private int run;

  /** Puts there what the workers expect to find. */
  void prepare(ObjectStore store) {
    for (int i = 0; i < CrashWorker.COUNTERS; i++) {
      store.put("counter/" + i, Body.of("0"), Condition.ifAbsent());
      counters.put("counter/" + i, 0L);
    }
  }

  void record(int newRun, List<String> lines) {
    run = newRun;
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      String key = words[1];
      long value = Long.parseLong(words[2]);
      switch (words[0]) {
        case "counted" -> counters.merge(key, value, Math::max);
        case "replaced" -> replaced.merge(key, value, Math::max);
        case "created" -> created.put(key, value);
        case "deleting" -> deleting.add(key);
        case "deleted" -> deleted.add(key);
        default -> throw new IllegalArgumentException(line);
      }
    }
  }

  void check(ObjectStore store) {
    Map<String, StoredObject> found = readAll(store);
    counters.forEach(
        (key, promised) ->
            assertThat(Counter.value(objectIn(found, key)))
                .as(key)
                // What was under way may have been written without being told.
                .isBetween(promised, promised + CrashWorker.THREADS));
    replaced.forEach(
        (key, promised) ->
            assertThat(idIn(found, key))
                .as(key)
                .isIn(promised, Math.max(promised, CrashWorker.idBefore(run)) + 1));
    created.forEach(
        (key, id) -> {
          if (!deleting.contains(key) || found.containsKey(key)) {
            assertThat(idIn(found, key)).as(key).isEqualTo(id);
          }
        });
    assertThat(deleted).noneMatch(found::containsKey);
  }

  private static long idIn(Map<String, StoredObject> found, String key) {
    return SelfCheckingBytes.idOf(objectIn(found, key).bytes());
  }

  private static StoredObject objectIn(Map<String, StoredObject> found, String key) {
    StoredObject object = found.get(key);
    if (object == null) {
      throw new AssertionError(key + " was acknowledged and is lost");
    }
    return object;
  }

  /** Every object that is listed, whole, and of a kind that was written. */
  private static Map<String, StoredObject> readAll(ObjectStore store) {
    Map<String, StoredObject> found = new TreeMap<>(ObjectKeys.ORDER);
    try (Stream<ObjectInfo> listed = store.list("")) {
      for (ObjectInfo info : listed.toList()) {
        StoredObject object = store.get(info.key()).orElseThrow();
        assertThat(object.etag()).as(info.key()).isEqualTo(info.etag());
        assertThat(object.bytes()).as(info.key()).hasSize((int) info.size());
        if (!info.key().matches("counter/\\d")) {
          assertThat(info.key()).matches("log/\\d+/\\d-\\d{6}\\.json|large/\\d");
          assertThat(SelfCheckingBytes.idOf(object.bytes())).isPositive();
        }
        found.put(info.key(), object);
      }
    }
    return found;
  }

  /** Another process can write at once whatever the killed one was writing. */
  void verifyWritable(ObjectStore store) {
    for (String key : List.copyOf(counters.keySet())) {
      new Counter(store, key).increment(1);
      counters.put(key, Counter.value(store.get(key).orElseThrow()));
    }
    replaced.forEach(
        (key, id) -> store.put(key, Body.of(SelfCheckingBytes.of(id, 100)), Condition.none()));
  }
}
