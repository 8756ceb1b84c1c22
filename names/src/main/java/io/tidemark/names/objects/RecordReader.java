// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.NameRecord;
import io.tidemark.names.objects.RecordKey.Part;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.internal.threads.Prefetcher;
import io.tidemark.objects.internal.threads.SharedThreads;
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

/** Finds the documents of records, whichever layout they were written in. */
final class RecordReader {

  private static final Logger LOG = LoggerFactory.getLogger(RecordReader.class);

  private final ObjectStore store;
  private final Documents documents;
  private final Layout layout;

  /** The keys that were warned of. */
  private final Set<String> misnamed = ConcurrentHashMap.newKeySet();

  RecordReader(ObjectStore store, Documents documents, Layout layout) {
    this.store = store;
    this.documents = documents;
    this.layout = layout;
  }

  /**
   * The documents that hold the given concerns, read at once; empty when there is no record.
   *
   * <p>Each concern is as it was at some moment during the call, not all at the same; but a record
   * that is retracted or restored meanwhile isn't read half before and half after that.
   */
  Optional<Loaded> load(Address address, Set<Concern> wanted) {
    Optional<Loaded> found = loadOnce(address, wanted);
    return found.filter(Loaded::isAcrossAnEdit).isPresent() ? loadOnce(address, wanted) : found;
  }

  private Optional<Loaded> loadOnce(Address address, Set<Concern> wanted) {
    Map<Concern, CompletableFuture<Document>> early = new EnumMap<>(Concern.class);
    for (Concern concern : layout.apart()) {
      if (wanted.contains(concern)) {
        String key = key(address, Part.of(concern));
        early.put(concern, SharedThreads.start(() -> documents.read(key)));
      }
    }
    Optional<MainDocument> main = main(address);
    Map<Concern, SideDocument> sides = new EnumMap<>(Concern.class);
    for (Concern concern : main.map(m -> m.layout().apart()).orElse(Set.of())) {
      if (wanted.contains(concern)) {
        CompletableFuture<Document> read = early.get(concern);
        Document document =
            read == null
                ? documents.read(key(address, Part.of(concern)))
                : SharedThreads.await(read);
        sides.put(concern, side(main.orElseThrow(), concern, document));
      }
    }
    return main.map(m -> new Loaded(m, sides));
  }

  /** What a document beside the main one says; it is read again if it was read too early. */
  private SideDocument side(MainDocument main, Concern concern, Document early) {
    SideDocument side = SideDocument.read(main, concern, early);
    return side.isDoubtfulFor(main)
        ? SideDocument.read(main, concern, documents.read(early.key()))
        : side;
  }

  /** The main document as it is now; empty when there is no record. */
  Optional<MainDocument> main(Address address) {
    return main(address, layout).or(() -> main(address, layout.other()));
  }

  /** The main document of the layouts that share its place. */
  Optional<MainDocument> main(Address address, Layout where) {
    return MainDocument.read(address, where, documents.read(key(address, where.main())));
  }

  /** The main document as it was last read or written here. */
  Optional<MainDocument> knownMain(Address address) {
    return documents
        .known(key(address, layout.main()))
        .flatMap(document -> MainDocument.read(address, layout, document))
        .or(
            () ->
                documents
                    .known(key(address, layout.other().main()))
                    .flatMap(document -> MainDocument.read(address, layout.other(), document)));
  }

  /** What lies where the main document of a new record would. */
  Document place(Address address) {
    return documents.read(key(address, layout.main()));
  }

  /** The layout of new records, in which most are found. */
  Layout layout() {
    return layout;
  }

  String key(Address address, Part part) {
    return new RecordKey(address, part).text();
  }

  /** Every record in a range, in the order of addresses, from one listing of keys. */
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
    return listed(address, infos, layout).or(() -> listed(address, infos, layout.other()));
  }

  private Optional<NameRecord> listed(Address address, Map<Part, ObjectInfo> infos, Layout where) {
    ObjectInfo info = infos.get(where.main());
    if (info == null) {
      return Optional.empty();
    }
    return MainDocument.read(address, where, documents.read(info))
        .map(
            main -> {
              Map<Concern, SideDocument> sides = new EnumMap<>(Concern.class);
              for (Concern concern : main.layout().apart()) {
                ObjectInfo side = infos.get(Part.of(concern));
                if (side != null) {
                  sides.put(concern, side(main, concern, documents.read(side)));
                } else if (main.seal().isPresent()) {
                  String key = key(address, Part.of(concern));
                  sides.put(concern, SideDocument.read(main, concern, documents.read(key)));
                }
              }
              return new Loaded(main, sides).record();
            });
  }
}
