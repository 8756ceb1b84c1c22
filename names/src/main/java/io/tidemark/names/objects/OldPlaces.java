// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Migrated;
import io.tidemark.objects.Listing;
import io.tidemark.objects.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Moves records that lie where they did before {@code ns@v2}; only a migration reads these. */
final class OldPlaces {

  private final MigrationScope scope;
  private final Relocation relocation;
  private final List<LegacyForms.Place> places;

  OldPlaces(MigrationScope scope, Relocation relocation, List<LegacyForms.Place> places) {
    this.scope = scope;
    this.relocation = relocation;
    this.places = places;
  }

  /** Moves everything there is, one after another, as two objects may be of one record. */
  Stream<Migrated> run() {
    return places.stream().flatMap(this::run);
  }

  /** Without a prefix only what lies in the root is looked at, beside what others have there. */
  private Stream<Migrated> run(LegacyForms.Place place) {
    Listing listing = place.prefix().isEmpty() ? Listing.children("") : Listing.all(place.prefix());
    return scope
        .store()
        .list(listing)
        .filter(Listing.Entry.Item.class::isInstance)
        .map(entry -> ((Listing.Entry.Item) entry).info())
        .filter(info -> place.isCandidate(info.key(), info.size()))
        .flatMap(info -> move(place, info.key()).stream());
  }

  private List<Migrated> move(LegacyForms.Place place, String key) {
    String form = place.formOf(key);
    return MigrationScope.linesOf(
        key,
        form,
        Optional.empty(),
        () ->
            scope
                .store()
                .get(key)
                .filter(found -> place.isWorthParsing(found.bytes()))
                .map(found -> move(place, form, document(key, found)))
                .orElse(List.of()));
  }

  private List<Migrated> move(LegacyForms.Place place, String form, Document document) {
    Map<Address, ObjectNode> records = place.records(document.key(), document.json().orElseThrow());
    return records.isEmpty()
        ? List.of()
        : relocation.move(
            new Relocation.Old(form, List.of(document)),
            records.entrySet().stream()
                .map(record -> source(document, record.getKey(), record.getValue()))
                .toList());
  }

  private static Document document(String key, StoredObject object) {
    return Document.of(key, object.etag(), Optional.of(Json.parse(key, object.bytes())), 0);
  }

  private static MainDocument source(Document document, Address path, ObjectNode json) {
    Address address = SlashBranch.meant(document.key(), path, json).orElse(path);
    Document from =
        Document.of(document.key(), document.etag().orElseThrow(), Optional.of(json), 0);
    return MainDocument.read(address, Layout.B, from)
        .orElseThrow(() -> Json.corrupt(document.key(), "says that its record was removed"));
  }
}
