// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.BackendProvider;
import io.tidemark.objects.ObjectBackend;
import java.net.URI;

/**
 * Provider that opens {@code http://host:port}, the objects of a server; see {@link
 * ServerLocation}.
 */
public final class HttpBackendProvider implements BackendProvider {

  @Override
  public String scheme() {
    return "http";
  }

  @Override
  public ObjectBackend open(URI location) {
    return new HttpObjectBackend(ServerConnection.open(location.toString()));
  }

  /** Provider of stores behind an encrypted connection. */
  public static final class Encrypted implements BackendProvider {

    @Override
    public String scheme() {
      return "https";
    }

    @Override
    public ObjectBackend open(URI location) {
      return new HttpObjectBackend(ServerConnection.open(location.toString()));
    }
  }
}
