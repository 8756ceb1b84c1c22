// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.Optional;

/**
 * What can be known of a caller before anything is believed.
 *
 * @param address where the connection comes from
 * @param authorization the header, as are the next two
 * @param host what the caller believes this server to be
 * @param origin the page whose script calls, if a browser does
 * @param writes whether the method is one that changes things
 */
public record AuthRequest(
    String address,
    Optional<String> authorization,
    Optional<String> host,
    Optional<String> origin,
    boolean writes) {

  /** A request of this machine without any headers that matter. */
  public static AuthRequest with(String authorization) {
    return new AuthRequest(
        "127.0.0.1", Optional.of(authorization), Optional.empty(), Optional.empty(), false);
  }
}
