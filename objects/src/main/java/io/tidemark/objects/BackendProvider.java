// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.net.URI;

/**
 * Provider that opens the stores of one URI scheme. Found through {@link java.util.ServiceLoader},
 * so that a room that isn't on the class path costs nothing.
 */
public interface BackendProvider {

  /** Returns the scheme this provider opens, in lower case and without the colon. */
  String scheme();

  /**
   * Opens a store.
   *
   * @param location a URI of {@link #scheme()}; its query may carry settings
   * @throws InvalidLocationException when the location can't be meant
   */
  ObjectBackend open(URI location);
}
