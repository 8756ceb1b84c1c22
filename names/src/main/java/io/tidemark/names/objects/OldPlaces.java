// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Migrated;
import io.tidemark.names.Migrated.Outcome;
import io.tidemark.names.objects.Documents.Document;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Moves records from where they lay before {@code ns@v2}. The new document is written first, if
 * there is none, and the old one deleted then; whoever dies in between leaves both, and the next
 * run finds the new one and only deletes the old. Nothing but a migration reads the old places.
 */
final class OldPlaces {

  private static final String V1 = "ns@v1/";
  private static final Pattern FLAT = Pattern.compile("ns@v1/(.+)@([^/@]+)\\.json");
  private static final Pattern NESTED = Pattern.compile("ns@v1/(?:(.+)/)?([^/]+)\\.json");
  private static final Pattern NO_RECORD = Pattern.compile(".*\\.(snapshots|commits|index)\\.json");

  private final MigrationScope scope;
  private final Layout layout;
  private final Supplier<String> ids;
  private final InPlace inPlace;

  /** What this run has moved, or would have: what comes second finds it there. */
  private final Set<Address> moved = ConcurrentHashMap.newKeySet();

  OldPlaces(MigrationScope scope, Layout layout, Supplier<String> ids, InPlace inPlace) {
    this.scope = scope;
    this.layout = layout;
    this.ids = ids;
    this.inPlace = inPlace;
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
          Address address =
              flat.matches() ? new Address(flat.group(1), flat.group(2)) : nested(key);
          Optional<StoredObject> object =
              scope.store().get(key).filter(found -> found.bytes().length > 0);
          return object.isEmpty()
              ? List.of()
              : move(
                  new Old(key, form, object.get().etag()),
                  Map.of(address, Json.parse(key, object.get().bytes())));
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
            key,
            OldForm.ROOT_FILE,
            Optional.empty(),
            () -> {
              ObjectNode json = Json.parse(key, object.get().bytes());
              Old old = new Old(key, OldForm.ROOT_FILE, object.get().etag());
              return RootFile.recognises(json) ? move(old, RootFile.convert(key, json)) : List.of();
            });
  }

  private record Old(String key, OldForm form, ETag etag) {
    Migrated line(Address to, Outcome outcome, String note) {
      return new Migrated(key, form.word(), Optional.of(to), outcome, note);
    }
  }

  private List<Migrated> move(Old old, Map<Address, ObjectNode> records) {
    List<Migrated> lines = new ArrayList<>();
    records.forEach(
        (address, json) ->
            lines.addAll(
                MigrationScope.linesOf(
                    old.key(),
                    old.form(),
                    Optional.of(address),
                    () -> List.of(move(old, address, json)))));
    boolean all = lines.stream().noneMatch(line -> line.outcome() == Outcome.FAILED);
    if (scope.applies() && all && !delete(old)) {
      return records.keySet().stream()
          .map(
              to ->
                  old.line(
                      to, Outcome.FAILED, "it was changed while it was converted; run this again"))
          .toList();
    }
    return lines;
  }

  private Migrated move(Old old, Address address, ObjectNode json) {
    Document from = new Document(old.key(), Optional.of(old.etag()), Optional.of(json));
    MainDocument source =
        MainDocument.read(address, layout, from)
            .orElseThrow(() -> Json.corrupt(old.key(), "says that its record was removed"));
    Retry.Backoff backoff = scope.retry().start();
    while (true) {
      Optional<MainDocument> there = scope.reader().main(address);
      if (there.isPresent() || moved.contains(address)) {
        return superseded(old, source, there);
      }
      if (!scope.applies() || create(source)) {
        moved.add(address);
        return old.line(address, Outcome.CONVERTED, "");
      }
      if (!backoff.pause()) {
        throw MigrationScope.contention(address);
      }
    }
  }

  /** An old document that is ahead of the record must come from a program that still writes it. */
  private static Migrated superseded(Old old, MainDocument source, Optional<MainDocument> there) {
    Address address = source.record().address();
    long before = source.record().head().watermark();
    long now = there.map(main -> main.record().head().watermark()).orElse(before);
    return before > now
        ? old.line(
            address,
            Outcome.FAILED,
            "its head is at t "
                + before
                + ", but that of the record is at t "
                + now
                + "; advance the record's head, or delete this one, and run this again")
        : old.line(address, Outcome.SUPERSEDED, "");
  }

  /** Writes the record where it belongs, with the keys that aren't known here; false if one is. */
  private boolean create(MainDocument source) {
    Address address = source.record().address();
    Document place = scope.reader().place(address);
    Document based = new Document(place.key(), place.etag(), source.document().json());
    MainDocument main =
        new MainDocument(
            based,
            source.record(),
            layout,
            Optional.of(ids.get()),
            1,
            Optional.empty(),
            Optional.empty());
    Optional<Document> written = scope.documents().write(based, main.write());
    written
        .flatMap(document -> MainDocument.read(address, layout, document))
        .filter(now -> OldForm.of(now).isPresent())
        // Whoever is faster here moves the index out as well.
        .ifPresent(inPlace::rewrite);
    return written.isPresent();
  }

  /**
   * Only the version that was converted is deleted, where the store can do that. Where it can't, a
   * plain delete must do: no program of today writes there any more.
   */
  private boolean delete(Old old) {
    if (scope.store().capabilities().conditionalDelete()) {
      boolean deleted = scope.store().deleteIfMatch(old.key(), old.etag()).deleted();
      return deleted || scope.store().head(old.key()).isEmpty(); // by another migration
    }
    scope.store().delete(old.key());
    return true;
  }
}
