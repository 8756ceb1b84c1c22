// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Options of a load.
 *
 * @param create options of a collection that is created if there is none; null if it must exist
 * @param existing policy for a collection that has features
 * @param duplicates policy for ids that occur several times in the input
 * @param mostInvalid maximum number of invalid features that are skipped; one more fails the load
 * @param parallel number of connections that load at once
 */
@RecordBuilder
public record LoadOptions(
    @Nullable CollectionOptions create,
    Existing existing,
    Duplicates duplicates,
    long mostInvalid,
    int parallel)
    implements LoadOptionsBuilder.With {

  /** Policy for a collection that has features. */
  public enum Existing {
    /** Nothing: the load is refused. */
    REFUSE,
    /** The features of the input are created, or replace those that are there. */
    UPSERT
  }

  /** Policy for ids that occur several times in the input. */
  public enum Duplicates {
    /** The load fails and reports the positions of the first two. */
    REFUSE,
    /** Of those with the same id, the last counts. */
    LAST_WINS
  }

  private static final LoadOptions STANDARD =
      new LoadOptions(
          null,
          Existing.REFUSE,
          Duplicates.REFUSE,
          0,
          Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors())));

  public LoadOptions {
    if (mostInvalid < 0 || parallel < 1 || parallel > 64) {
      throw new InvalidRequestException(
          "%d invalid features and %d connections can't be; give 0 or more and 1 to 64"
              .formatted(mostInvalid, parallel));
    }
  }

  /** Returns the defaults: into an existing, empty collection; the first problem fails the load. */
  public static LoadOptions standard() {
    return STANDARD;
  }

  /** Returns a copy that creates the collection if there is none. */
  public LoadOptions creating(CollectionOptions options) {
    return withCreate(options);
  }

  public LoadOptions with(Existing newExisting) {
    return withExisting(newExisting);
  }

  public LoadOptions with(Duplicates newDuplicates) {
    return withDuplicates(newDuplicates);
  }

  /** Returns a copy that skips up to so many invalid features. */
  public LoadOptions skipping(long most) {
    return withMostInvalid(most);
  }

  public LoadOptions inParallel(int connections) {
    return withParallel(connections);
  }
}
