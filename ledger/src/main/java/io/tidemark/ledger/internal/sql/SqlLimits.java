// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits on what a statement may use before it is ended.
 *
 * @param time from when it begins to when the last row is read
 * @param memory such as {@code 1GB}, {@code 1.5 GiB} or {@code 200MB}; what is more goes to the
 *     disk. Single texts that functions make aren't counted by DuckDB
 * @param disk how much of the disk for what doesn't fit into memory, such as {@code 10GB}
 * @param rows how many rows it may answer with
 * @param file size of the file that it may write its answer to, such as {@code 10GB}
 */
@RecordBuilder
public record SqlLimits(Duration time, String memory, String disk, long rows, String file)
    implements SqlLimitsBuilder.With {

  /** Sizes that DuckDB takes, but for percentages and {@code none}: these aren't limits. */
  private static final Pattern SIZE =
      Pattern.compile(
          "([0-9]{1,30}\\.?[0-9]{0,30}|\\.[0-9]{1,30})(e[+-]?[0-9]{1,3})? *"
              + "(?:(b|bytes?)|([kmgt])b?|([kmgt])ib|(kilo|mega|giga|tera)bytes?)");

  private static final long LARGEST = 1L << 50;

  public SqlLimits {
    if (bytes("memory", memory) < 1_000_000) {
      throw new IllegalArgumentException("the memory has to be at least 1MB, not " + memory);
    }
    bytes("disk", disk);
    bytes("file", file);
    if (time.isNegative() || time.isZero() || rows < 0) {
      throw new IllegalArgumentException(
          "the time has to be more than none, and rows not negative");
    }
  }

  /** Returns the bytes of a size. */
  private static long bytes(String limit, String size) {
    Matcher matcher = SIZE.matcher(size.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "the limit of %s is \"%s\"; give a size such as 1GB, 1.5GB or 512MiB"
              .formatted(limit, size));
    }
    BigDecimal unit = BigDecimal.ONE;
    if (matcher.group(5) != null) {
      unit = BigDecimal.valueOf(1024).pow(power(matcher.group(5)));
    } else if (matcher.group(3) == null) {
      String decimal = matcher.group(4) != null ? matcher.group(4) : matcher.group(6);
      unit = BigDecimal.valueOf(1000).pow(power(decimal));
    }
    String exponent = matcher.group(2) == null ? "" : matcher.group(2);
    BigDecimal bytes = new BigDecimal(matcher.group(1) + exponent).multiply(unit);
    if (bytes.compareTo(BigDecimal.valueOf(LARGEST)) > 0) {
      throw new IllegalArgumentException(
          "the limit of %s is \"%s\", more than the 1024TiB that are possible; give a smaller one"
              .formatted(limit, size));
    }
    return bytes.longValue();
  }

  private static int power(String unit) {
    return "kmgt".indexOf(unit.charAt(0)) + 1;
  }

  /** Returns the bytes of memory. */
  public long memoryBytes() {
    return bytes("memory", memory);
  }

  /** Returns the bytes of a file. */
  public long fileBytes() {
    return bytes("file", file);
  }

  /**
   * Returns the standard limits: a minute, 1 GB, 10 GB of disk, a million rows, a file of 10 GB.
   */
  public static SqlLimits standard() {
    return new SqlLimits(Duration.ofMinutes(1), "1GB", "10GB", 1_000_000, "10GB");
  }
}
