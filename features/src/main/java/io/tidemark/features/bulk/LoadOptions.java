// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * How a file is loaded.
 *
 * @param create options of a collection that is created if there is none; null if one must be there
 * @param existing what to do with a collection that has features
 * @param duplicates what to do with ids that the input has several times
 * @param mostInvalid how many invalid features are left out; one more fails the load
 * @param parallel how many connections load at once
 */
@RecordBuilder
public record LoadOptions(
    @Nullable CollectionOptions create,
    Existing existing,
    Duplicates duplicates,
    long mostInvalid,
    int parallel)
    implements LoadOptionsBuilder.With {

  /** What becomes of a collection that has features. */
  public enum Existing {
    /** Nothing: the load is refused. */
    REFUSE,
    /** The features of the input are created, or replace those that are there. */
    UPSERT
  }

  /** What becomes of ids that the input has several times. */
  public enum Duplicates {
    /** The load fails, and says where the first two are. */
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

  /** Into a collection that is there and empty; the first problem fails the load. */
  public static LoadOptions standard() {
    return STANDARD;
  }

  /** The collection is created if there is none. */
  public LoadOptions creating(CollectionOptions options) {
    return withCreate(options);
  }

  public LoadOptions with(Existing newExisting) {
    return withExisting(newExisting);
  }

  public LoadOptions with(Duplicates newDuplicates) {
    return withDuplicates(newDuplicates);
  }

  /** Leaves so many invalid features out. */
  public LoadOptions skipping(long most) {
    return withMostInvalid(most);
  }

  public LoadOptions inParallel(int connections) {
    return withParallel(connections);
  }
}
