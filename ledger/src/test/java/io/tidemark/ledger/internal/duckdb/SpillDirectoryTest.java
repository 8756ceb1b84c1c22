// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one DuckDB spills stays as long as its process lives, and no longer. */
class SpillDirectoryTest {

  @TempDir private Path parent;

  /** Has a place, and says where it is. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) throws IOException {
      System.out.println(spill(Path.of(arguments[0])));
      int unused = System.in.read(); // until it is killed
    }
  }

  private static Path spill(Path parent) throws IOException {
    Path place = SpillDirectory.newPath(parent);
    SpillDirectory.prepare(place);
    Files.createDirectory(place);
    Files.writeString(place.resolve("duckdb_temp_block-0.block"), "x");
    return place;
  }

  @Test
  void aPlaceStaysWhileItsProcessLivesAndGoesWithTheNextAfterItWasKilled() throws IOException {
    Path own = spill(parent);
    try (ChildJvm child = ChildJvm.start(Worker.class, parent.toString())) {
      Path other = Path.of(child.nextLine().orElseThrow());
      SpillDirectory.prepare(own);
      assertThat(other).isNotEmptyDirectory();
      assertThat(own).as("the child sees that we live").isNotEmptyDirectory();

      child.kill();
      SpillDirectory.prepare(own);

      assertThat(other).doesNotExist();
      assertThat(own).isNotEmptyDirectory();
      try (var files = Files.list(parent)) {
        assertThat(files).as("our place and our lock").hasSize(2);
      }
    }
  }

  @Test
  void whatIsNobodysGoesAndWhatIsOfOthersStays() throws IOException {
    Path nobodys = Files.createDirectory(parent.resolve("0".repeat(32) + "-" + "1".repeat(32)));
    Files.writeString(nobodys.resolve("a.block"), "x");
    Path others = Files.createDirectory(parent.resolve("something"));

    SpillDirectory.prepare(SpillDirectory.newPath(parent));

    assertThat(nobodys).doesNotExist();
    assertThat(others).exists();
  }

  @Test
  void whereNothingCanBeLockedNothingIsSweptAndQueriesGoOn() throws IOException {
    Path own = SpillDirectory.newPath(parent);
    String name = own.getFileName().toString();
    String us = name.substring(0, name.indexOf('-'));
    Files.createDirectory(parent.resolve(us + ".lock")); // which can't be locked
    Path nobodys = Files.createDirectory(parent.resolve("0".repeat(32) + "-" + "1".repeat(32)));

    SpillDirectory.prepare(own);

    assertThat(nobodys).as("its owner can't say that it lives, either").exists();
  }

  @Test
  void whatWasNamedByTheNumberOfAProcessGoesWhenItIsOld() throws IOException {
    Path old = Files.createDirectory(parent.resolve("4711-" + UUID.randomUUID()));
    Path young = Files.createDirectory(parent.resolve("4712-" + UUID.randomUUID()));
    Files.writeString(old.resolve("duckdb_temp_block-0.block"), "x");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));

    SpillDirectory.prepare(SpillDirectory.newPath(parent));

    assertThat(old).doesNotExist();
    assertThat(young).exists();
  }
}
