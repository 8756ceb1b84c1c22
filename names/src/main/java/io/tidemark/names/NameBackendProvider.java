// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Set;

/**
 * Provider that opens nameservices by their location. Found through {@link
 * java.util.ServiceLoader}, so that a room that isn't on the class path costs nothing.
 */
public interface NameBackendProvider {

  /**
   * Returns the URI schemes this provider opens, in lower case; {@code file} stands for plain paths
   * too.
   */
  Set<String> schemes();

  /** Opens a nameservice. */
  NameBackend open(String location);
}
