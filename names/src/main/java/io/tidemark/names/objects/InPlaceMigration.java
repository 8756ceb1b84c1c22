// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.objects.RecordKey.Part;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.threads.Prefetcher;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Migration that rewrites documents of records in place, by compare-and-set like every other
 * change, so it may run while other processes push. It changes nothing that a reader sees. A
 * process that dies in between leaves a record of which some documents are converted, which is as
 * readable as before.
 */
final class InPlaceMigration {

  private static final List<Part> MAINS = List.of(Part.MAIN, Part.HEAD);

  private final MigrationContext scope;
  private final RecordRelocator recordRelocator;

  InPlaceMigration(MigrationContext scope, RecordRelocator recordRelocator) {
    this.scope = scope;
    this.recordRelocator = recordRelocator;
  }

  Stream<MigrationEntry> run() {
    Map<String, Map<Part, ObjectInfo>> found = new TreeMap<>();
    List<String> nameless = new ArrayList<>();
    try (Stream<ObjectInfo> infos = scope.store().list(RecordKey.ROOT)) {
      infos.forEach(info -> sort(info, found, nameless));
    }
    Stream<MigrationEntry> records =
        Prefetcher.stream(
                List.copyOf(found.entrySet()),
                entry -> record(Address.parse(entry.getKey()), entry.getValue()))
            .flatMap(List::stream);
    return Stream.concat(records, nameless.stream().map(InPlaceMigration::nameless));
  }

  private static void sort(
      ObjectInfo info, Map<String, Map<Part, ObjectInfo>> found, List<String> nameless) {
    Optional<RecordKey> parsed = RecordKey.parse(info.key());
    if (parsed.isPresent()) {
      found
          .computeIfAbsent(parsed.get().address().toString(), a -> new EnumMap<>(Part.class))
          .put(parsed.get().part(), info);
    } else if (RecordKey.looksLikeMain(info.key())) {
      nameless.add(info.key());
    }
  }

  /** Without this line it would go unnoticed that such a record can't be reached. */
  private static MigrationEntry nameless(String key) {
    return new MigrationEntry(
        key,
        DocumentForm.BARE,
        Optional.empty(),
        Outcome.FAILED,
        "no record can have such a name here; copy the document to a key of letters, digits, '.',"
            + " '_', '-' and '/'");
  }

  private List<MigrationEntry> record(Address address, Map<Part, ObjectInfo> infos) {
    ObjectInfo main = infos.get(Part.MAIN);
    List<MigrationEntry> moved =
        main == null
            ? List.of()
            : MigrationContext.entriesOf(
                main.key(),
                DocumentForm.BARE,
                Optional.of(address),
                () -> misplaced(address, scope.documents().read(main)));
    return moved.isEmpty() ? documents(address, infos) : moved;
  }

  /** Moves a record that lies where another one would; empty when this one is in its place. */
  private List<MigrationEntry> misplaced(Address path, Document document) {
    Optional<MainDocument> found =
        MainDocument.read(path, DocumentLayout.B, document).filter(m -> m.incarnation().isEmpty());
    Optional<Address> meant =
        found
            .flatMap(main -> main.document().json())
            .flatMap(json -> SlashBranch.intendedAddress(document.key(), path, json));
    if (meant.isEmpty()) {
      return List.of();
    }
    MainDocument main = found.orElseThrow();
    Document side = scope.documents().read(new RecordKey(path, Part.INDEX).text());
    LoadedRecord loadedRecord =
        new LoadedRecord(main, Map.of(Concern.INDEX, SideDocument.read(main, Concern.INDEX, side)));
    // The index goes first: should this end in between, the rest is still recognised next time.
    List<Document> old = Stream.of(side, document).filter(each -> each.etag().isPresent()).toList();
    return recordRelocator.move(
        new RecordRelocator.Source(DocumentForm.SLASH_BRANCH, old),
        List.of(SlashBranch.relocated(meant.get(), loadedRecord)));
  }

  private List<MigrationEntry> documents(Address address, Map<Part, ObjectInfo> infos) {
    List<MigrationEntry> lines = new ArrayList<>();
    for (Part part : MAINS) {
      ObjectInfo info = infos.get(part);
      if (info != null) {
        DocumentLayout documentLayout = part == Part.HEAD ? DocumentLayout.C : DocumentLayout.B;
        lines.addAll(of(info.key(), address, () -> main(address, documentLayout, info)));
      }
    }
    for (Concern concern : DocumentLayout.C.apart()) {
      ObjectInfo info = infos.get(Part.of(concern));
      if (info != null) {
        lines.addAll(of(info.key(), address, () -> side(address, concern, info)));
      }
    }
    return lines;
  }

  private static List<MigrationEntry> of(
      String key, Address address, Supplier<Optional<String>> conversion) {
    return MigrationContext.entriesOf(
        key,
        DocumentForm.BARE,
        Optional.of(address),
        () ->
            conversion.get().stream()
                .map(
                    form ->
                        new MigrationEntry(key, form, Optional.of(address), Outcome.CONVERTED, ""))
                .toList());
  }

  /**
   * Converts a main document, and returns the form that it was in; empty when there was nothing to
   * convert.
   */
  private Optional<String> main(Address address, DocumentLayout documentLayout, ObjectInfo listed) {
    Retry.Backoff backoff = scope.retry().start();
    Document document = scope.documents().read(listed);
    while (true) {
      Optional<MainDocument> main = MainDocument.read(address, documentLayout, document);
      Optional<String> form = main.flatMap(DocumentForm::of);
      if (form.isEmpty() || !scope.applies() || recordRelocator.rewrite(main.orElseThrow())) {
        return form;
      }
      if (!backoff.pause()) {
        throw MigrationContext.contention(address);
      }
      document = scope.documents().read(listed.key());
    }
  }

  /** Rewrites a side document. One that belongs to no record is left alone. */
  private Optional<String> side(Address address, Concern concern, ObjectInfo listed) {
    Retry.Backoff backoff = scope.retry().start();
    Document document = scope.documents().read(listed);
    while (true) {
      Optional<String> form = document.json().flatMap(DocumentForm::ofSide);
      if (form.isEmpty()) {
        return form;
      }
      Optional<LoadedRecord> record = beside(address, concern, document);
      if (record.isEmpty()) {
        return Optional.empty();
      }
      if (!scope.applies() || rewrite(record.get(), concern)) {
        return form;
      }
      if (!backoff.pause()) {
        throw MigrationContext.contention(address);
      }
      document = scope.documents().read(listed.key());
    }
  }

  /**
   * Returns the record that a document belongs to; the main document is read after it, as
   * relocations do.
   */
  private Optional<LoadedRecord> beside(Address address, Concern concern, Document document) {
    return scope
        .reader()
        .main(address)
        .filter(main -> main.layout().apart().contains(concern))
        .map(
            main ->
                new LoadedRecord(main, Map.of(concern, SideDocument.read(main, concern, document))))
        .filter(
            loadedRecord -> loadedRecord.side(concern).flatMap(SideDocument::content).isPresent());
  }

  /** With the state that it has, so it doesn't matter what becomes of the record meanwhile. */
  private boolean rewrite(LoadedRecord loadedRecord, Concern concern) {
    SideDocument side = loadedRecord.side(concern).orElseThrow();
    return scope
        .documents()
        .write(
            loadedRecord.record().address(),
            concern,
            side.document(),
            side.next(loadedRecord.main(), loadedRecord.record(), side.fence()))
        .isPresent();
  }
}
