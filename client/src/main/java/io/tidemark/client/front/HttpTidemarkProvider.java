// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.front;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.TidemarkProvider;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerLocation;

/** Provider that opens the URL of a server. */
public final class HttpTidemarkProvider implements TidemarkProvider {

  @Override
  public boolean opens(String location) {
    return ServerLocation.isServerUrl(location);
  }

  @Override
  public Tidemark open(OpenOptions options) {
    return new HttpTidemark(ServerConnection.open(options.location()));
  }
}
