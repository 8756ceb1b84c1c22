// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import java.util.Optional;

/**
 * Part of the addresses of a remote, in their order.
 *
 * @param limit maximum number of addresses
 * @param cursor cursor of the part before; empty for the first
 */
public record RemoteRequest(String remote, int limit, Optional<String> cursor) {

  public RemoteRequest {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, got " + limit);
    }
  }

  /** Returns a request for all addresses. */
  public static RemoteRequest all(String remote) {
    return new RemoteRequest(remote, Integer.MAX_VALUE, Optional.empty());
  }
}
