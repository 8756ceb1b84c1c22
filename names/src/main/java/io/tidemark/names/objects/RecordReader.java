// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.NameRecord;
import io.tidemark.names.objects.RecordKey.Part;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.internal.threads.Prefetcher;
import io.tidemark.objects.internal.threads.SharedExecutors;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reader of the documents of records, whichever layout they were written in. */
final class RecordReader {

  private static final Logger LOG = LoggerFactory.getLogger(RecordReader.class);

  private final ObjectStore store;
  private final DocumentStore documentStore;
  private final DocumentLayout documentLayout;

  /** The keys that were warned of. */
  private final Set<String> misnamed = ConcurrentHashMap.newKeySet();

  RecordReader(ObjectStore store, DocumentStore documentStore, DocumentLayout documentLayout) {
    this.store = store;
    this.documentStore = documentStore;
    this.documentLayout = documentLayout;
  }

  /**
   * Returns the documents that hold the given concerns, read at once; empty when there is no
   * record.
   *
   * <p>Each concern is as it was at some moment during the call, not all at the same; but a record
   * that is retracted or restored meanwhile isn't read half before and half after that.
   */
  Optional<LoadedRecord> load(Address address, Set<Concern> wanted) {
    Optional<LoadedRecord> found = loadOnce(address, wanted);
    return found.filter(LoadedRecord::isTorn).isPresent() ? loadOnce(address, wanted) : found;
  }

  private Optional<LoadedRecord> loadOnce(Address address, Set<Concern> wanted) {
    Map<Concern, CompletableFuture<Document>> early = new EnumMap<>(Concern.class);
    for (Concern concern : documentLayout.apart()) {
      if (wanted.contains(concern)) {
        String key = key(address, Part.of(concern));
        early.put(concern, SharedExecutors.start(() -> documentStore.read(key)));
      }
    }
    Optional<MainDocument> main = main(address);
    Map<Concern, SideDocument> sides = new EnumMap<>(Concern.class);
    for (Concern concern : main.map(m -> m.layout().apart()).orElse(Set.of())) {
      if (wanted.contains(concern)) {
        CompletableFuture<Document> read = early.get(concern);
        Document document =
            read == null
                ? documentStore.read(key(address, Part.of(concern)))
                : SharedExecutors.await(read);
        sides.put(concern, side(main.orElseThrow(), concern, document));
      }
    }
    return main.map(m -> new LoadedRecord(m, sides));
  }

  /** Returns the content of a side document, which is read again if it was read too early. */
  private SideDocument side(MainDocument main, Concern concern, Document early) {
    SideDocument side = SideDocument.read(main, concern, early);
    return side.mayBeStaleFor(main)
        ? SideDocument.read(main, concern, documentStore.read(early.key()))
        : side;
  }

  /** Returns the main document as it is now; empty when there is no record. */
  Optional<MainDocument> main(Address address) {
    return main(address, documentLayout).or(() -> main(address, documentLayout.other()));
  }

  /** Returns the main document of the layouts that share its place. */
  Optional<MainDocument> main(Address address, DocumentLayout where) {
    return MainDocument.read(address, where, documentStore.read(key(address, where.main())));
  }

  /** Returns the main document as it was last read or written here. */
  Optional<MainDocument> cachedMain(Address address) {
    return documentStore
        .cached(key(address, documentLayout.main()))
        .flatMap(document -> MainDocument.read(address, documentLayout, document))
        .or(
            () ->
                documentStore
                    .cached(key(address, documentLayout.other().main()))
                    .flatMap(
                        document -> MainDocument.read(address, documentLayout.other(), document)));
  }

  /** Returns the document at the key that the main document of a new record would have. */
  Document documentForNewRecord(Address address) {
    return documentStore.read(key(address, documentLayout.main()));
  }

  /** Returns the layout of new records, in which most are found. */
  DocumentLayout layout() {
    return documentLayout;
  }

  String key(Address address, Part part) {
    return new RecordKey(address, part).text();
  }

  /** Returns every record in a range, in the order of addresses, from one listing of keys. */
  Stream<NameRecord> list(String prefix, String startAfter) {
    Map<String, Map<Part, ObjectInfo>> found = new TreeMap<>();
    try (Stream<ObjectInfo> infos = store.list(RecordKey.prefixOf(prefix))) {
      infos.forEach(
          info ->
              parse(info.key())
                  .filter(key -> key.address().toString().startsWith(prefix))
                  .filter(key -> key.address().toString().compareTo(startAfter) > 0)
                  .ifPresent(
                      key ->
                          found
                              .computeIfAbsent(
                                  key.address().toString(), a -> new EnumMap<>(Part.class))
                              .put(key.part(), info)));
    }
    return Prefetcher.stream(
            List.copyOf(found.entrySet()), e -> listed(Address.parse(e.getKey()), e.getValue()))
        .flatMap(Optional::stream);
  }

  private Optional<RecordKey> parse(String key) {
    Optional<RecordKey> parsed = RecordKey.parse(key);
    if (parsed.isEmpty() && key.contains("%25")) {
      String meant = key.replace("%25", "%");
      if (RecordKey.parse(meant).isPresent() && misnamed.add(key)) {
        LOG.warn(
            "{} in {} is no record but would be one as {}: it was copied from the file of a"
                + " directory, which had escaped the name; rename it",
            key,
            store,
            meant);
      }
    }
    return parsed;
  }

  private Optional<NameRecord> listed(Address address, Map<Part, ObjectInfo> infos) {
    return listed(address, infos, documentLayout)
        .or(() -> listed(address, infos, documentLayout.other()));
  }

  private Optional<NameRecord> listed(
      Address address, Map<Part, ObjectInfo> infos, DocumentLayout where) {
    ObjectInfo info = infos.get(where.main());
    if (info == null) {
      return Optional.empty();
    }
    return MainDocument.read(address, where, documentStore.read(info))
        .map(
            main -> {
              Map<Concern, SideDocument> sides = new EnumMap<>(Concern.class);
              for (Concern concern : main.layout().apart()) {
                ObjectInfo side = infos.get(Part.of(concern));
                if (side != null) {
                  sides.put(concern, side(main, concern, documentStore.read(side)));
                } else if (main.seal().isPresent()) {
                  String key = key(address, Part.of(concern));
                  sides.put(concern, SideDocument.read(main, concern, documentStore.read(key)));
                }
              }
              return new LoadedRecord(main, sides).record();
            });
  }
}
