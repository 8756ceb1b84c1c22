// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.Optional;

/**
 * Properties of a request that authentication decides by.
 *
 * @param address address of the client
 * @param authorization the {@code Authorization} header
 * @param host the {@code Host} header, the name by which the client addresses this server
 * @param origin the {@code Origin} header, which a browser sends with the requests of a page
 * @param writes whether the method is one that changes something
 */
public record AuthRequest(
    String address,
    Optional<String> authorization,
    Optional<String> host,
    Optional<String> origin,
    boolean writes) {

  /** Returns a request from this machine with only this {@code Authorization} header. */
  public static AuthRequest with(String authorization) {
    return new AuthRequest(
        "127.0.0.1", Optional.of(authorization), Optional.empty(), Optional.empty(), false);
  }
}
