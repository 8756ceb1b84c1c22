// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Check that a store can be written to, honours conditions, and has the right time. */
final class StoreCheck {

  private static final String REMEDY =
      "check the location, the credentials and their rights to read, write, list and delete";

  private StoreCheck() {}

  static List<Diagnosis> of(ObjectStore store) {
    List<Diagnosis> found = new ArrayList<>();
    // Beside everything else, and gone afterwards.
    String key = "doctor/" + UUID.randomUUID();
    found.add(Diagnosis.of("store", REMEDY, () -> conditions(store, key)));
    if (found.get(0).verdict() == Diagnosis.Verdict.OK) {
      found.add(Diagnosis.of("clock of the store", REMEDY, () -> clock(store, key)));
    }
    try {
      store.delete(key);
    } catch (io.tidemark.objects.TidemarkException e) {
      found.add(Diagnosis.warning("store", "can't delete " + key + ": " + e.getMessage(), REMEDY));
    }
    return found;
  }

  private static Diagnosis conditions(ObjectStore store, String key) {
    WriteResult first = store.put(key, Body.of("1"), Condition.ifAbsent());
    WriteResult again = store.put(key, Body.of("2"), Condition.ifAbsent());
    if (!(first instanceof WriteResult.Written written) || again instanceof WriteResult.Written) {
      return broken();
    }
    WriteResult next = store.put(key, Body.of("3"), Condition.ifMatch(written.etag()));
    WriteResult stale = store.put(key, Body.of("4"), Condition.ifMatch(written.etag()));
    return next instanceof WriteResult.Written && !(stale instanceof WriteResult.Written)
        ? Diagnosis.ok("store", store.capabilities().location() + " writes and keeps to conditions")
        : broken();
  }

  private static Diagnosis broken() {
    return Diagnosis.failure(
        "store",
        "it writes although a condition doesn't hold",
        "use another store: commits could be lost in this one");
  }

  private static Diagnosis clock(ObjectStore store, String key) {
    Instant before = Instant.now();
    store.put(key, Body.of("5"), Condition.none());
    Instant after = Instant.now();
    ObjectInfo info = store.head(key).orElseThrow();
    Instant middle = before.plus(Duration.between(before, after).dividedBy(2));
    return Diagnosis.clock("clock of the store", Duration.between(middle, info.lastModified()));
  }
}
