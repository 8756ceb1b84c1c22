// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.server.http.Limits;

/**
 * Where a server listens, and for how much.
 *
 * @param host the address to bind; loopback unless callers are asked who they are
 * @param port 0 for any that is free
 */
public record ServerSettings(String host, int port, Limits limits) {

  public static ServerSettings standard() {
    return new ServerSettings("127.0.0.1", 7700, Limits.standard());
  }

  public ServerSettings withPort(int other) {
    return new ServerSettings(host, other, limits);
  }

  public ServerSettings withLimits(Limits other) {
    return new ServerSettings(host, port, other);
  }
}
