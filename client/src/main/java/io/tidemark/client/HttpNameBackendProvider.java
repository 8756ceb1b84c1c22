// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackendProvider;
import java.util.Set;

/** Provider that opens {@code http://host:port}, see {@link ServerLocation}. */
public final class HttpNameBackendProvider implements NameBackendProvider {

  @Override
  public Set<String> schemes() {
    return Set.of("http", "https");
  }

  @Override
  public NameBackend open(String location) {
    return new HttpNameBackend(ServerConnection.open(location));
  }
}
