// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.VersionPage;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Scanner of the versions of records by a listing of their keys, whose ETags are the versions. */
final class KeyVersionScanner {

  /** As many as S3 lists in one answer. */
  static final int PAGE = 1000;

  private KeyVersionScanner() {}

  static VersionPage page(ObjectStore store, String prefix, Optional<String> page) {
    Listing listing = Listing.all(RecordKey.prefixOf(prefix)).after(page.orElse(""));
    try (Stream<Listing.Entry> entries = store.list(listing)) {
      List<ObjectInfo> infos =
          entries.limit(PAGE).map(entry -> ((Listing.Entry.Item) entry).info()).toList();
      Optional<String> next =
          infos.size() < PAGE ? Optional.empty() : Optional.of(infos.get(PAGE - 1).key());
      return new VersionPage(infos.stream().flatMap(info -> sighting(prefix, info)).toList(), next);
    }
  }

  private static Stream<VersionPage.VersionEntry> sighting(String prefix, ObjectInfo info) {
    return RecordKey.parse(info.key()).stream()
        .filter(key -> key.address().toString().startsWith(prefix))
        .map(
            key ->
                new VersionPage.VersionEntry(
                    key.address(), key.part().name(), info.etag().value()));
  }
}
