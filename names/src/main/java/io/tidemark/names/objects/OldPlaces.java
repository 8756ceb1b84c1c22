// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Migrated;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds records that lie where they did before {@code ns@v2}; only a migration reads these. */
final class OldPlaces {

  private static final String V1 = "ns@v1/";
  private static final Pattern FLAT = Pattern.compile("ns@v1/(.+)@([^/@]+)\\.json");
  private static final Pattern NESTED = Pattern.compile("ns@v1/(?:(.+)/)?([^/]+)\\.json");
  private static final Pattern NO_RECORD = Pattern.compile(".*\\.(snapshots|commits|index)\\.json");

  private final MigrationScope scope;
  private final Relocation relocation;

  OldPlaces(MigrationScope scope, Relocation relocation) {
    this.scope = scope;
    this.relocation = relocation;
  }

  /** Everything under {@code ns@v1/}; one after another, as two may be of one record. */
  Stream<Migrated> firstVersion() {
    return scope
        .store()
        .list(V1)
        .map(ObjectInfo::key)
        .filter(key -> key.endsWith(".json") && !NO_RECORD.matcher(key).matches())
        .flatMap(key -> firstVersion(key).stream());
  }

  private List<Migrated> firstVersion(String key) {
    Matcher flat = FLAT.matcher(key);
    OldForm form = flat.matches() ? OldForm.V1_FLAT : OldForm.V1_NESTED;
    return MigrationScope.linesOf(
        key,
        form,
        Optional.empty(),
        () -> {
          Address path = flat.matches() ? new Address(flat.group(1), flat.group(2)) : nested(key);
          Optional<StoredObject> object =
              scope.store().get(key).filter(found -> found.bytes().length > 0);
          if (object.isEmpty()) {
            return List.of();
          }
          Document document = document(key, object.get());
          ObjectNode json = document.json().orElseThrow();
          Address address = SlashBranch.meant(key, path, json).orElse(path);
          return relocation.move(
              new Relocation.Old(form, List.of(document)),
              List.of(source(address, document, json)));
        });
  }

  private static Address nested(String key) {
    Matcher matcher = NESTED.matcher(key);
    if (!matcher.matches()) {
      throw Json.corrupt(key, "has a key that names no ledger");
    }
    return matcher.group(1) == null
        ? new Address(matcher.group(2), Address.MAIN)
        : new Address(matcher.group(1), matcher.group(2));
  }

  /** Files in the root that are of the time before; others may lie beside them. */
  Stream<Migrated> root() {
    return scope
        .store()
        .list(Listing.children(""))
        .filter(Listing.Entry.Item.class::isInstance)
        .map(entry -> ((Listing.Entry.Item) entry).info())
        .filter(info -> info.key().endsWith(".json") && info.size() <= RootFile.LONGEST)
        .flatMap(info -> root(info.key()).stream());
  }

  private List<Migrated> root(String key) {
    Optional<StoredObject> object =
        scope.store().get(key).filter(found -> RootFile.mayBe(found.bytes()));
    return object.isEmpty()
        ? List.of()
        : MigrationScope.linesOf(
            key, OldForm.ROOT_FILE, Optional.empty(), () -> root(document(key, object.get())));
  }

  private List<Migrated> root(Document document) {
    ObjectNode json = document.json().orElseThrow();
    if (!RootFile.recognises(json)) {
      return List.of();
    }
    Map<Address, ObjectNode> records = RootFile.convert(document.key(), json);
    return relocation.move(
        new Relocation.Old(OldForm.ROOT_FILE, List.of(document)),
        records.entrySet().stream()
            .map(record -> source(record.getKey(), document, record.getValue()))
            .toList());
  }

  private static Document document(String key, StoredObject object) {
    return Document.of(key, object.etag(), Optional.of(Json.parse(key, object.bytes())), 0);
  }

  private static MainDocument source(Address address, Document document, ObjectNode json) {
    Document from =
        Document.of(document.key(), document.etag().orElseThrow(), Optional.of(json), 0);
    return MainDocument.read(address, Layout.B, from)
        .orElseThrow(() -> Json.corrupt(document.key(), "says that its record was removed"));
  }
}
