// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.Migrated;
import io.tidemark.names.Migrated.Outcome;
import io.tidemark.names.objects.Documents.Document;
import io.tidemark.names.objects.RecordKey.Part;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.Retry;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Rewrites documents of records where they lie, by compare-and-set like every other change, so it
 * may run while others push. It changes nothing that a reader sees. A process that dies in between
 * leaves a record of which some documents are converted, which is as readable as before.
 */
final class InPlace {

  private static final List<Part> MAINS = List.of(Part.MAIN, Part.HEAD);

  private final MigrationScope scope;
  private final InlineIndex inlineIndex;

  InPlace(MigrationScope scope) {
    this.scope = scope;
    this.inlineIndex = new InlineIndex(scope.documents(), scope.reader());
  }

  Stream<Migrated> run() {
    Map<String, Set<Part>> found = new TreeMap<>();
    List<String> nameless = new ArrayList<>();
    try (Stream<ObjectInfo> infos = scope.store().list(RecordKey.ROOT)) {
      infos.map(ObjectInfo::key).forEach(key -> sort(key, found, nameless));
    }
    Stream<Migrated> records =
        scope
            .parallel()
            .inOrder(
                found.entrySet().iterator(),
                entry -> record(Address.parse(entry.getKey()), entry.getValue()))
            .flatMap(List::stream);
    return Stream.concat(records, nameless.stream().map(InPlace::nameless));
  }

  private static void sort(String key, Map<String, Set<Part>> found, List<String> nameless) {
    Optional<RecordKey> parsed = RecordKey.parse(key);
    if (parsed.isPresent()) {
      found
          .computeIfAbsent(parsed.get().address().toString(), a -> EnumSet.noneOf(Part.class))
          .add(parsed.get().part());
    } else if (RecordKey.looksLikeMain(key)) {
      nameless.add(key);
    }
  }

  /** Without this line it would go unnoticed that such a record can't be reached. */
  private static Migrated nameless(String key) {
    return new Migrated(
        key,
        OldForm.BARE.word(),
        Optional.empty(),
        Outcome.FAILED,
        "no record can have such a name here; copy the document to a key of letters, digits, '.',"
            + " '_', '-' and '/'");
  }

  private List<Migrated> record(Address address, Set<Part> parts) {
    List<Migrated> lines = new ArrayList<>();
    for (Part part : MAINS) {
      if (parts.contains(part)) {
        String key = new RecordKey(address, part).text();
        Layout layout = part == Part.HEAD ? Layout.C : Layout.B;
        lines.addAll(of(key, address, () -> main(address, layout, key)));
      }
    }
    for (Concern concern : Layout.C.apart()) {
      if (parts.contains(Part.of(concern))) {
        String key = new RecordKey(address, Part.of(concern)).text();
        lines.addAll(of(key, address, () -> side(address, concern, key)));
      }
    }
    return lines;
  }

  private static List<Migrated> of(
      String key, Address address, Supplier<Optional<OldForm>> conversion) {
    return MigrationScope.linesOf(
        key,
        OldForm.BARE,
        Optional.of(address),
        () ->
            conversion.get().stream()
                .map(
                    form ->
                        new Migrated(key, form.word(), Optional.of(address), Outcome.CONVERTED, ""))
                .toList());
  }

  /** Which form a main document was in; empty when there was nothing to convert. */
  private Optional<OldForm> main(Address address, Layout layout, String key) {
    Retry.Backoff backoff = scope.retry().start();
    while (true) {
      Optional<MainDocument> main = MainDocument.read(address, layout, scope.documents().read(key));
      Optional<OldForm> form = main.flatMap(OldForm::of);
      if (form.isEmpty() || !scope.applies() || rewrite(main.orElseThrow())) {
        return form;
      }
      if (!backoff.pause()) {
        throw MigrationScope.contention(address);
      }
    }
  }

  /** Writes a main document as it is written today; false when somebody else was faster. */
  boolean rewrite(MainDocument main) {
    return inlineIndex
        .moveOutOf(main)
        .flatMap(next -> scope.documents().write(main.document(), next.next(next.record()).write()))
        .isPresent();
  }

  /** The same of a document beside it. One that belongs to no record is left alone. */
  private Optional<OldForm> side(Address address, Concern concern, String key) {
    Retry.Backoff backoff = scope.retry().start();
    while (true) {
      Document document = scope.documents().read(key);
      Optional<OldForm> form = document.json().flatMap(OldForm::ofSide);
      if (form.isEmpty()) {
        return form;
      }
      Optional<Loaded> record = beside(address, concern, document);
      if (record.isEmpty()) {
        return Optional.empty();
      }
      if (!scope.applies() || rewrite(record.get(), concern)) {
        return form;
      }
      if (!backoff.pause()) {
        throw MigrationScope.contention(address);
      }
    }
  }

  /** The record that a document belongs to; the main document is read after it, as movers do. */
  private Optional<Loaded> beside(Address address, Concern concern, Document document) {
    return scope
        .reader()
        .main(address)
        .filter(main -> main.layout().apart().contains(concern))
        .map(main -> new Loaded(main, Map.of(concern, SideDocument.read(main, concern, document))))
        .filter(loaded -> loaded.side(concern).flatMap(SideDocument::json).isPresent());
  }

  /** With the state that it has, so it doesn't matter what becomes of the record meanwhile. */
  private boolean rewrite(Loaded loaded, Concern concern) {
    SideDocument side = loaded.side(concern).orElseThrow();
    return scope
        .documents()
        .write(side.document(), side.write(loaded.main(), loaded.record(), side.seal()))
        .isPresent();
  }
}
