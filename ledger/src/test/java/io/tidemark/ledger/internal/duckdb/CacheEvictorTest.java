// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the cache of files is kept below its limit. */
class CacheEvictorTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path directory;

  private CacheEvictor limit(long bytes) {
    return new CacheEvictor(directory, bytes, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  /** A file of 100 bytes that was used some time ago. */
  private Path file(String name, Duration ago) throws IOException {
    Path file = Files.write(directory.resolve(name), new byte[100]);
    FileTime used = FileTime.from(NOW.minus(ago));
    Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(used, used, null);
    return file;
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatWasUsedLongestAgoGoesFirst() throws IOException {
    file("a.parquet", Duration.ofDays(2));
    file("b.parquet", Duration.ofDays(5));
    file("c.parquet", Duration.ofDays(1));
    Path revived = file("d.parquet", Duration.ofDays(9));
    limit(250).touch(revived);

    limit(250).evict();

    assertThat(left()).as("225 bytes are left").containsExactly("c.parquet", "d.parquet");
    assertThat(Files.getLastModifiedTime(revived).toInstant())
        .as("the time of its last change stays")
        .isEqualTo(NOW.minus(Duration.ofDays(9)));
  }

  @Test
  void belowTheLimitNothingGoes() throws IOException {
    file("a.parquet", Duration.ofDays(2));
    file("b.parquet", Duration.ofDays(5));

    limit(200).evict();

    assertThat(left()).hasSize(2);
  }

  @Test
  void whatIsInUseStaysEvenIfItIsTooMuch() throws IOException {
    file("a.parquet", Duration.ofSeconds(5));
    file("b.parquet", Duration.ofSeconds(6));
    file("c.parquet", Duration.ofMinutes(5));

    limit(100).evict();

    assertThat(left()).containsExactly("a.parquet", "b.parquet");
  }

  @Test
  void whatWasNeverFinishedGoesInTime() throws IOException {
    file("fetch-1.part", Duration.ofMinutes(2));
    file("fetch-2.part", Duration.ofHours(2));

    limit(1_000).evict();

    assertThat(left()).containsExactly("fetch-1.part");
  }

  @Test
  void aDirectoryThatIsNotThereYetIsSmallEnough() throws IOException {
    new CacheEvictor(directory.resolve("none"), 1, Clock.systemUTC()).evict();

    assertThat(left()).isEmpty();
  }
}
