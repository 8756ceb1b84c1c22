// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.model.NamespaceInfo;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.internal.threads.Parallel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Counter of the objects of a namespace. */
public record NamespaceCounter(NamespaceStore scope) {

  /** Returns the namespaces that have any events, sessions or dead letters. */
  public static Set<String> namespaces(ObjectStore store, String prefix) {
    Set<String> names = new TreeSet<>();
    for (Kind kind : List.of(Kind.EVENTS, Kind.SESSIONS, Kind.DEAD_LETTERS)) {
      String folder = NamespaceKeys.all(prefix, kind);
      try (Stream<Listing.Entry> found = store.list(Listing.children(folder))) {
        found
            .filter(entry -> entry instanceof Listing.Entry.Group)
            .map(group -> group.name().substring(folder.length(), group.name().length() - 1))
            .filter(NameValidator::isName)
            .forEach(names::add);
      }
    }
    return names;
  }

  public NamespaceInfo info(List<SessionInfo> sessions) {
    long dead = sessions.stream().filter(SessionInfo::dead).count();
    return new NamespaceInfo(
        scope.namespace(), pending(), sessions.size() - dead, dead, count(Kind.DEAD_LETTERS));
  }

  private long count(Kind kind) {
    try (Stream<ObjectInfo> keys = scope.list(kind)) {
      return keys.count();
    }
  }

  /**
   * Counts pending events. Events without a claim are pending; of the others the claims are read.
   */
  private long pending() {
    Set<String> claimed = new HashSet<>();
    try (Stream<ObjectInfo> keys = scope.list(Kind.CLAIMS)) {
      keys.flatMap(info -> scope.layout().claimKey(Kind.CLAIMS, info.key()).stream())
          .forEach(claimKey -> claimed.add(claimKey.eventId()));
    }
    EventArchive eventArchive = new EventArchive(scope);
    Set<String> events = eventArchive.names().keySet();
    AtomicLong waiting = new AtomicLong();
    List<Runnable> tasks = new ArrayList<>();
    for (String id : events) {
      if (claimed.contains(id)) {
        tasks.add(
            () -> {
              boolean pending = eventArchive.status(eventArchive.claims(id)) == EventStatus.PENDING;
              waiting.addAndGet(pending ? 1 : 0);
            });
      }
    }
    new Parallel().run(tasks);
    return events.size() - tasks.size() + waiting.get();
  }
}
