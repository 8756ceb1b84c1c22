// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.features.cluster.ClusterState;
import io.tidemark.features.cluster.PrivateCluster;
import io.tidemark.features.db.JdbcUrl;
import io.tidemark.features.model.StorageUnavailableException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Locator of the private cluster of a data location. */
public final class PrivateClusterLocator {

  /** A name with a dot is no object's; see the room {@code objects}. */
  private static final String FOLDER = ".postgres";

  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]+:.*");

  private PrivateClusterLocator() {}

  /**
   * Returns the cluster, whether it exists or not.
   *
   * @param location value of {@code --data}; empty when that is no directory
   */
  public static Optional<PrivateCluster> locate(String location) {
    return directory(location).map(path -> PrivateCluster.in(path.resolve(FOLDER)));
  }

  /** Returns the directory of the data; empty when the data isn't in a directory. */
  public static Optional<Path> directory(String location) {
    Optional<Path> directory = Optional.empty();
    if (location.startsWith("file:/")) {
      directory = Optional.of(Path.of(URI.create(location).getPath()));
    } else if (!SCHEME.matcher(location).matches()) {
      directory = Optional.of(Path.of(location));
    }
    return directory.filter(path -> !Files.isRegularFile(path));
  }

  /** Returns the database of a running cluster; empty when there is no cluster. */
  public static Optional<JdbcUrl> url(String location) {
    Optional<PrivateCluster> cluster = locate(location);
    ClusterState state =
        cluster.map(PrivateCluster::state).orElseGet(() -> new ClusterState.Absent());
    if (state instanceof ClusterState.Stopped) {
      throw new StorageUnavailableException(
          "the PostgreSQL in "
              + cluster.orElseThrow().directory()
              + " doesn't run; start it with 'tidemark features up'");
    }
    return state instanceof ClusterState.Running running
        ? Optional.of(running.url())
        : Optional.empty();
  }
}
