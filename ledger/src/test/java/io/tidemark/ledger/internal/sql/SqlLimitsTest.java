// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlLimitsTest {

  @TempDir private Path directory;

  private static SqlLimits limits(String memory, String disk) {
    return new SqlLimits(Duration.ofSeconds(1), memory, disk, 1, "1GB");
  }

  @ParameterizedTest
  @CsvSource({
    "1GB, 1000000000",
    "1.5GB, 1500000000",
    "1.5 GiB, 1610612736",
    "' 200mb ', 200000000",
    "20M, 20000000",
    "300000k, 300000000",
    "1e9B, 1000000000",
    "5E-1gib, 536870912",
    ".5GB, 500000000",
    "1.GB, 1000000000",
    "64000000 bytes, 64000000",
    "1 gigabyte, 1000000000",
    "3 megabytes, 3000000",
    "1t, 1000000000000",
    "2TiB, 2199023255552"
  })
  void sizesAreReadAsDuckDbReadsThem(String size, long bytes) throws SQLException {
    assertThat(limits(size, "1GB").memoryBytes()).isEqualTo(bytes);
    if (bytes >= 20_000_000) {
      Sandbox.open(directory.resolve("spill"), limits(size, size)).close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"80%", "none", "-1", "null", "512", "", "GB", "1PB", "1_000MB", "1GB x", "1MiBs"})
  void whatIsNoSizeIsRefused(String size) {
    String remedy = " is \"" + size + "\"; give a size such as 1GB, 1.5GB or 512MiB";
    assertThatThrownBy(() -> limits(size, "1GB"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the limit of memory" + remedy);
    assertThatThrownBy(() -> limits("1GB", size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the limit of disk" + remedy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"99999999999999999999GB", "9e999TB", "1025TiB"})
  void hugeSizesAreRefused(String size) {
    assertThatThrownBy(() -> limits(size, "1GB"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than the 1024TiB that are possible");
  }

  @Test
  void noStatementRunsWithoutMemory() {
    assertThat(limits("1GB", "0GB").disk()).isEqualTo("0GB");
    assertThatThrownBy(() -> limits("999KB", "1GB"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the memory has to be at least 1MB, not 999KB");
  }
}
