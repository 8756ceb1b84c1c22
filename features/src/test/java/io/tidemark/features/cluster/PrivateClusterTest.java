// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.Features;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CollectionInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cluster that is made once, and started again and again. */
class PrivateClusterTest {

  private static final List<String> TOLD = new ArrayList<>();

  private static Path parent;
  private static PrivateCluster cluster;
  private static ClusterState beforeIt = new ClusterState.Stopped(0);

  /** Not a temporary directory of JUnit's: those can be entered only by whoever runs the tests. */
  @BeforeAll
  static void make() throws IOException {
    parent = Files.createTempDirectory("tidemark-cluster-");
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path directory = parent.resolve("it's a \"$HOME\"/.postgres");
    Path left = Files.createDirectories(directory.resolve("new-1/data"));
    Files.writeString(left.resolve("PG_VERSION"), "15\n");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    cluster = PrivateCluster.in(directory);
    beforeIt = cluster.state();
    assertThat(cluster.down()).isFalse();
    cluster.up(TOLD::add);
    try (Features features = open()) {
      features.transact(
          Actor.app("test"),
          tx -> tx.collections().create("kept", CollectionOptions.none().unpartitioned()));
    }
  }

  @AfterAll
  static void remove() throws IOException {
    cluster.down();
    try (Stream<Path> files = Files.walk(parent)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static ClusterState.Running up() {
    return cluster.up(TOLD::add);
  }

  private static Features open() {
    return Features.open(up().url().secret(), "store");
  }

  private static void assertWhole() {
    try (Features features = open()) {
      List<CollectionInfo> kept =
          features.transact(Actor.app("test"), tx -> tx.collections().list());
      assertThat(kept).extracting(CollectionInfo::id).containsExactly("kept");
    }
  }

  private static Path data() {
    return cluster.directory().resolve("cluster/data");
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    ProcessHandle.of(pid).ifPresent(left -> left.onExit().join());
  }

  @Test
  void upTwiceIsOneServerOnOnePort() {
    ClusterState.Running first = up();
    assertThat(up()).extracting(ClusterState.Running::pid).isEqualTo(first.pid());
    assertThat(cluster.down()).isTrue();
    assertThat(cluster.state()).isEqualTo(new ClusterState.Stopped(first.major()));
    assertThat(cluster.down()).isFalse();
    assertThat(up().port()).isEqualTo(first.port());
    assertThat(TOLD).containsExactly("making a cluster in " + cluster.directory() + " ...");
    assertWhole();
  }

  @Test
  void onlyWhoKnowsThePasswordGetsIn() throws IOException {
    ClusterState.Running running = up();
    String without = "jdbc:postgresql://127.0.0.1:" + running.port() + "/features?user=tidemark";
    assertThatThrownBy(() -> DriverManager.getConnection(without + "&password=wrong"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password authentication failed");
    assertThat(data().resolve("pg_hba.conf")).content().doesNotContainPattern("(?m)^[a-z].*trust");
    assertThat(Files.getPosixFilePermissions(cluster.passwordFile()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(Files.getPosixFilePermissions(cluster.directory()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(running.url().toString()).endsWith("user=tidemark&password=***");
  }

  @Test
  void theLastOfThisProcessWhoNeedsItStopsIt() throws Exception {
    cluster.down();
    CompletableFuture<PrivateCluster.Usage> other =
        CompletableFuture.supplyAsync(() -> PrivateCluster.in(cluster.directory()).use(told -> {}));
    PrivateCluster.Usage first = cluster.use(told -> {});
    other.get().close();
    other.get().close(); // has ended already
    assertThat(cluster.state()).isInstanceOf(ClusterState.Running.class);
    first.close();
    assertThat(cluster.state()).isInstanceOf(ClusterState.Stopped.class);
  }

  @Test
  void aServerThatNobodyCanUseIsNotLeftRunning() throws IOException {
    cluster.down();
    Path users = cluster.directory().resolve("users");
    Files.deleteIfExists(users);
    Files.createDirectory(users);
    try {
      assertThatThrownBy(() -> cluster.use(told -> {})).isInstanceOf(ClusterException.class);
    } finally {
      Files.delete(users);
    }
    assertThat(cluster.state()).isInstanceOf(ClusterState.Stopped.class);
    assertThat(cluster.directory().resolve("passing")).doesNotExist();
  }

  /** Then the server stays, but whoever comes next can stop it. */
  @Test
  void whoEndsWhenTheProgramsAreGoneNeedsItNoLonger() throws IOException {
    cluster.down();
    Path debian = Files.createDirectory(parent.resolve("debian"));
    Path version = debian.resolve("1");
    PostgresInstallation postgresInstallation =
        HostEnvironment.local().installed().stream()
            .filter(each -> new ClusterState.Stopped(each.major()).equals(cluster.state()))
            .findFirst()
            .orElseThrow();
    Files.createSymbolicLink(version, postgresInstallation.directory().getParent());
    HostEnvironment hostEnvironment =
        new HostEnvironment(debian, List.of(), HostEnvironment.local().root());
    PrivateCluster.Usage usage =
        new PrivateCluster(cluster.directory(), PackageInstaller.of(hostEnvironment))
            .use(told -> {});
    Files.delete(version);
    assertThatThrownBy(usage::close)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("there is none on this machine");

    cluster.use(told -> {}).close();

    assertThat(cluster.state()).isInstanceOf(ClusterState.Stopped.class);
  }

  @Test
  void aServerThatWasKilledIsStartedAgain() {
    ClusterState.Running running = up();
    kill(running.pid());
    assertThat(data().resolve("postmaster.pid")).exists();
    assertThat(cluster.state()).isInstanceOf(ClusterState.Stopped.class);
    assertThat(up().pid()).isNotEqualTo(running.pid());
    assertWhole();
  }

  @Test
  void theNumberOfAServerThatIsGoneMayBeAnotherProcesss() throws IOException {
    up();
    cluster.down();
    String own = Long.toString(ProcessHandle.current().pid());
    Files.writeString(
        data().resolve("postmaster.pid"),
        own + "\n" + data() + "\n1794812083\n5432\n\n127.0.0.1\n  1 1\nready   \n");
    assertThat(cluster.state()).isInstanceOf(ClusterState.Stopped.class);
    assertThat(cluster.down()).isFalse();
    assertWhole();
  }

  @Test
  void whatNeverGotReadyIsNoClusterAndIsSwept() {
    assertThat(beforeIt).isEqualTo(new ClusterState.Absent());
    assertThat(cluster.directory().resolve("new-1")).doesNotExist();
  }

  @Test
  void aClusterOfAnotherVersionIsRefused() throws IOException {
    Path other = Files.createDirectories(parent.resolve("old/cluster/data"));
    Files.writeString(other.resolve("PG_VERSION"), "14\n");
    PrivateCluster old = PrivateCluster.in(parent.resolve("old"));
    assertThat(old.state()).isEqualTo(new ClusterState.Stopped(14));
    assertThatThrownBy(() -> old.up(TOLD::add))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("is one of PostgreSQL 14, and there is only ")
        .hasMessageContaining("install PostgreSQL 14 (on Debian: postgresql-14");
  }
}
