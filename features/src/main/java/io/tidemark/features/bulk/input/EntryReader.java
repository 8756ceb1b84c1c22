// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import java.io.IOException;
import java.util.Optional;

/** Takes an input apart. For one thread. */
interface EntryReader {

  /**
   * Returns the next entry; empty at the end.
   *
   * @throws InvalidInputException if it can't be told where the next one begins
   */
  Optional<InputEntry> next() throws IOException;

  /** Returns the unit of positions: {@code line} or {@code feature}. */
  String unit();
}
