// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.Tidemark;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import java.util.Optional;

/** Tidemark on a server, over its documented HTTP API. */
public final class HttpTidemark implements Tidemark {

  private final Connection connection;
  private final NameService names;

  public HttpTidemark(Connection connection) {
    this.connection = connection;
    this.names = new NameService(new HttpNameBackend(connection));
  }

  @Override
  public String location() {
    return connection.toString();
  }

  @Override
  public NameService names() {
    return names;
  }

  @Override
  public Optional<ObjectStore> objects() {
    return names.objects();
  }

  @Override
  public void close() {
    names.close();
  }
}
