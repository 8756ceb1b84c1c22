// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import java.io.IOException;
import java.util.Optional;

/** Reader that splits an input into entries. For one thread. */
interface EntryReader {

  /**
   * Returns the next entry; empty at the end.
   *
   * @throws InvalidInputException if the beginning of the next entry can't be found
   */
  Optional<InputEntry> next() throws IOException;

  /** Returns the unit of positions: {@code line} or {@code feature}. */
  String unit();
}
