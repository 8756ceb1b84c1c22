// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackendProvider;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Provider that opens the nameservice that a connection document names: {@code connection:FILE},
 * which is also what the path of a file that ends in {@code .json} or {@code .jsonld} stands for.
 */
public final class ConnectionProvider implements NameBackendProvider {

  private static final String SCHEME = "connection";

  @Override
  public Set<String> schemes() {
    return Set.of(SCHEME);
  }

  @Override
  public NameBackend open(String location) {
    String file = location.substring(SCHEME.length() + 1);
    try {
      return ConnectionConfig.read(Path.of(file), Environment.ofProcess()).openNames();
    } catch (InvalidPathException e) {
      throw new InvalidConnectionException(
          "\"" + file + "\" can't be the path of a file; write connection:FILE", e);
    }
  }
}
