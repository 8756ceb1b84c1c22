// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.MigrationEntry;
import io.tidemark.objects.Listing;
import io.tidemark.objects.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Migration of records that lie where they did before {@code ns@v2}; only a migration reads these.
 */
final class LegacyLocationMigration {

  private final MigrationContext scope;
  private final RecordRelocator recordRelocator;
  private final List<LegacyForms.Location> places;

  LegacyLocationMigration(
      MigrationContext scope, RecordRelocator recordRelocator, List<LegacyForms.Location> places) {
    this.scope = scope;
    this.recordRelocator = recordRelocator;
    this.places = places;
  }

  /** Moves everything there is, one after another, as two objects may be of one record. */
  Stream<MigrationEntry> run() {
    return places.stream().flatMap(this::run);
  }

  /**
   * Migrates a location. Without a prefix only objects in the root are looked at, where other
   * programs may have objects too.
   */
  private Stream<MigrationEntry> run(LegacyForms.Location location) {
    Listing listing =
        location.prefix().isEmpty() ? Listing.children("") : Listing.all(location.prefix());
    return scope
        .store()
        .list(listing)
        .filter(Listing.Entry.Item.class::isInstance)
        .map(entry -> ((Listing.Entry.Item) entry).info())
        .filter(info -> location.isCandidate(info.key(), info.size()))
        .flatMap(info -> move(location, info.key()).stream());
  }

  private List<MigrationEntry> move(LegacyForms.Location location, String key) {
    String form = location.formOf(key);
    return MigrationContext.entriesOf(
        key,
        form,
        Optional.empty(),
        () ->
            scope
                .store()
                .get(key)
                .filter(found -> location.isWorthParsing(found.bytes()))
                .map(found -> move(location, form, document(key, found)))
                .orElse(List.of()));
  }

  private List<MigrationEntry> move(LegacyForms.Location location, String form, Document document) {
    Map<Address, ObjectNode> records =
        location.records(document.key(), document.json().orElseThrow());
    return records.isEmpty()
        ? List.of()
        : recordRelocator.move(
            new RecordRelocator.Source(form, List.of(document)),
            records.entrySet().stream()
                .map(record -> source(document, record.getKey(), record.getValue()))
                .toList());
  }

  private static Document document(String key, StoredObject object) {
    return Document.of(key, object.etag(), Optional.of(DocumentJson.parse(key, object.bytes())), 0);
  }

  private static MainDocument source(Document document, Address path, ObjectNode json) {
    Address address = SlashBranch.intendedAddress(document.key(), path, json).orElse(path);
    Document from =
        Document.of(document.key(), document.etag().orElseThrow(), Optional.of(json), 0);
    return MainDocument.read(address, DocumentLayout.B, from)
        .orElseThrow(
            () -> DocumentJson.corrupt(document.key(), "says that its record was removed"));
  }
}
