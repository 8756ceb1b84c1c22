// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.ContentionException;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.MigrationMode;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Inputs of a migration.
 *
 * @param store the store of all documents
 * @param documents documents of today
 * @param reader finds them
 * @param retry how long to retry while other writers win the race
 * @param mode whether it writes
 */
record MigrationContext(
    ObjectStore store,
    DocumentStore documents,
    RecordReader reader,
    Retry retry,
    MigrationMode mode) {

  boolean applies() {
    return mode == MigrationMode.APPLY;
  }

  /**
   * Returns the entries about one object. An error of that object alone becomes an entry too, so
   * that one damaged document doesn't stop the migration; an unusable store ends it.
   */
  static List<MigrationEntry> entriesOf(
      String key, String form, Optional<Address> to, Supplier<List<MigrationEntry>> conversion) {
    try {
      return conversion.get();
    } catch (CorruptRecordException
        | InvalidAddressException
        | InvalidPayloadException
        | ContentionException
        | OutcomeUnknownException e) {
      String problem = String.valueOf(e.getMessage());
      return List.of(new MigrationEntry(key, form, to, Outcome.FAILED, problem));
    }
  }

  static ContentionException contention(Address address) {
    return new ContentionException(
        address + " is being changed by others all the time; run the migration again later");
  }
}
