// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Files into a collection and out of it. */
public interface CollectionTransfer {

  /**
   * Loads a file into the collection, all of it or nothing, in one transaction.
   *
   * @param listener told now and then how far it is
   */
  FeatureLoadReport load(FeatureLoadRequest request, Consumer<FeatureLoadProgress> listener);

  /**
   * Writes the collection to a stream, which stays open. GeoParquet needs a file.
   *
   * @param progress told now and then how many features have been written
   * @return the number of features
   */
  long export(FeatureExportRequest request, OutputStream out, LongConsumer progress);

  /**
   * Writes the collection to a file, which appears when it is whole.
   *
   * @param progress told now and then how many features have been written
   * @return the number of features
   */
  long export(FeatureExportRequest request, Path file, LongConsumer progress);
}
