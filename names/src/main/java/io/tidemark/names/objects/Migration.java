// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Migrated;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Converts what lies in older forms: first documents where they are, then those from older places,
 * the younger place first, since what is found twice is taken from where it was written last.
 */
final class Migration {

  private final InPlace inPlace;
  private final OldPlaces oldPlaces;

  Migration(InPlace inPlace, OldPlaces oldPlaces) {
    this.inPlace = inPlace;
    this.oldPlaces = oldPlaces;
  }

  /** Does it as the stream is read, some documents ahead. */
  Stream<Migrated> run() {
    return Stream.<Supplier<Stream<Migrated>>>of(inPlace::run, oldPlaces::run)
        .flatMap(Supplier::get);
  }
}
