// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.MigrationEntry;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Migration of documents in older forms: first documents where they are, then those from older
 * places, the younger place first, since what is found twice is taken from where it was written
 * last.
 */
final class ObjectMigration {

  private final InPlaceMigration inPlaceMigration;
  private final LegacyLocationMigration legacyLocationMigration;

  ObjectMigration(
      InPlaceMigration inPlaceMigration, LegacyLocationMigration legacyLocationMigration) {
    this.inPlaceMigration = inPlaceMigration;
    this.legacyLocationMigration = legacyLocationMigration;
  }

  /** Does it as the stream is read, some documents ahead. */
  Stream<MigrationEntry> run() {
    return Stream.<Supplier<Stream<MigrationEntry>>>of(
            inPlaceMigration::run, legacyLocationMigration::run)
        .flatMap(Supplier::get);
  }
}
