// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.ledger.internal.sql.InvalidSqlException;
import io.tidemark.ledger.internal.sql.SqlLimitException;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.internal.sql.SqlResult;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Statements that take far more in one call than DuckDB counts or can interrupt. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class SqlHardLimitsTest {

  private static final SqlLimits SMALL =
      new SqlLimits(Duration.ofSeconds(2), "200MB", "100MB", 1000, "1GB");

  /**
   * Limit documented in docs/design/query.md: the memory, half of it for Java, and a base per
   * process.
   */
  private static final long MOST_KIB =
      (300_000_000 + (256L << 20) + Runtime.getRuntime().availableProcessors() * (16L << 20))
          / 1024;

  private static final String TEN = "range(0, 10000)";
  private static final String LONG = "repeat('ab', 10000)";

  /**
   * Each call takes a fraction of a second, and DuckDB looks for the end of the time after 2,048.
   */
  private static final String ENDLESS =
      "SELECT sum(levenshtein(# || a.range, # || b.range)) FROM range(2000) a, range(2000) b"
          .replace("#", LONG);

  static final List<String> GREEDY =
      List.of(
          "SELECT length(printf('%2000000000d', 1))",
          "SELECT length(format('{:2000000000}', 1))",
          "SELECT length(list_transform(@, lambda x: list_transform(@, lambda y: x + y))::VARCHAR)",
          "SELECT len([[[x + y + z FOR x IN @] FOR y IN @] FOR z IN @])",
          "SELECT len(flatten(list_transform(@, lambda x: list_transform(@, lambda y: x || 'a'))))",
          "SELECT length("
              + "replace(".repeat(12)
              + "'a'"
              + ", 'a', 'aaaaaaaaaa')".repeat(12)
              + ")",
          "SELECT length("
              + "regexp_replace(".repeat(12)
              + "'a'"
              + ", 'a', 'aaaaaaaaaa', 'g')".repeat(12)
              + ")",
          "SELECT length(list_aggregate(list_transform(@, lambda x: #), 'string_agg', #))",
          "SELECT length(" + "hex(".repeat(32) + "'a'" + ")".repeat(32) + ")",
          "SELECT length(list_reduce(list_transform(@, lambda x: 'a'), lambda x, y: x || x))",
          "SELECT bit_count(bitstring('1', 2000000000)) + bit_count(bitstring('1', 2100000000))"
              + " + length(bitstring('1', 2147483647)::VARCHAR)",
          ENDLESS,
          "SELECT damerau_levenshtein(#, # || 'x')");

  @TempDir private static Path cache;
  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
  private Ledger ledger;

  @BeforeAll
  void open() {
    assumeThat(Path.of("/proc/self/status")).exists();
    fixture.initialiser().init();
    ledger =
        fixture.open(
            LedgerFixture.options()
                .withQueries(
                    LedgerFixture.QUERIES.withCache(cache).withIsolation(Isolation.OWN_PROCESS)));
    Shop.commit(ledger);
  }

  @AfterAll
  void close() {
    fixture.close();
    until(() -> workers().isEmpty());
  }

  /** Waits for a while that is too short to miss how a process grows. */
  private static boolean isDone(Future<?> asked) throws InterruptedException {
    try {
      asked.get(10, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static List<ProcessHandle> workers() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
  }

  private long read(String sql, SqlLimits limits, CancellationToken cancellationToken) {
    try (SqlResult answer =
        ledger.query().sql(sql).within(limits).cancelledBy(cancellationToken).execute()) {
      long rows = 0;
      while (answer.next().isPresent()) {
        rows++;
      }
      return rows;
    }
  }

  /** Returns the peak memory of a worker; empty if it is gone, or not yet a program of its own. */
  private static Optional<Long> peakKib(ProcessHandle process) {
    Path directory = Path.of("/proc/" + process.pid());
    try {
      // Between fork and exec a child has the memory of this process, and its command line.
      byte[] command = Files.readAllBytes(directory.resolve("cmdline"));
      if (Arrays.equals(command, Files.readAllBytes(Path.of("/proc/self/cmdline")))) {
        return Optional.empty();
      }
      return Files.readAllLines(directory.resolve("status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @FieldSource("GREEDY")
  void aStatementThatTakesTooMuchIsEndedAlone(String template) throws Exception {
    String sql = template.replace("@", TEN).replace("#", LONG);
    ExecutorService one = Executors.newSingleThreadExecutor();
    long peak = 0;
    try {
      Future<?> asked = one.submit(() -> read(sql, SMALL, new CancellationToken()));
      while (!isDone(asked)) {
        for (ProcessHandle worker : workers()) {
          peak = Math.max(peak, peakKib(worker).orElse(0L));
        }
      }
      assertThatThrownBy(asked::get)
          .hasCauseInstanceOf(SqlLimitException.class)
          .hasMessageMatching("(?s).*(ended after 2.0 s|200MB of memory).*");
    } finally {
      one.shutdownNow();
    }
    assertThat(peak).as("KiB of memory").isBetween(1L, MOST_KIB);
    assertThat(read("FROM Cust", SqlLimits.standard(), new CancellationToken())).isEqualTo(4);
  }

  @Test
  void aParquetFileHasALimitOfBytes(@TempDir Path directory) throws Exception {
    SqlTest.assertThatAFileIsLimited(ledger, directory);
    assertThat(read("FROM Cust", SqlLimits.standard(), new CancellationToken())).isEqualTo(4);
  }

  @Test
  void theProcessOfAStatementThatIsEndedIsKilled() throws Exception {
    CancellationToken cancellationToken = new CancellationToken();
    ExecutorService one = Executors.newSingleThreadExecutor();
    try {
      SqlLimits ample = SqlLimits.standard().withTime(Duration.ofHours(1));
      Future<?> asked = one.submit(() -> read(ENDLESS, ample, cancellationToken));
      until(() -> workers().stream().anyMatch(worker -> cpuSeconds(worker) >= 2));
      ProcessHandle busy =
          workers().stream().filter(worker -> cpuSeconds(worker) >= 2).findFirst().orElseThrow();
      cancellationToken.cancel(new TidemarkException(ErrorCode.QUERY_STOPPED, "nobody waits"));
      assertThatThrownBy(asked::get).hasMessageContaining("nobody waits");
      assertThat(busy.isAlive()).isFalse();
    } finally {
      one.shutdownNow();
    }
  }

  @Test
  void aStatementThatWasEndedBeforeItBeganLeavesNoProcess() {
    read("FROM Cust", SMALL, new CancellationToken());
    List<ProcessHandle> before = workers();
    CancellationToken cancellationToken = new CancellationToken();
    cancellationToken.cancel(new TidemarkException(ErrorCode.QUERY_STOPPED, "nobody waits"));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> read("FROM Cust", SMALL, cancellationToken))
          .hasMessageContaining("nobody waits");
    }
    // A worker of an earlier statement may end meanwhile; none may have come.
    assertThat(workers()).isSubsetOf(before);
  }

  @Test
  void aProcessEndsWhenItsParentIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName(),
                cache.toString())
            .inheritIO()
            .start();
    try {
      until(() -> busyChild(parent).isPresent() || !parent.isAlive());
      ProcessHandle child = busyChild(parent).orElseThrow();
      parent.destroyForcibly();
      until(() -> isGone(child));
    } finally {
      parent.destroyForcibly();
    }
  }

  private static Optional<ProcessHandle> busyChild(Process parent) {
    return parent.children().filter(child -> cpuSeconds(child) >= 2).findFirst();
  }

  /** Where nobody takes note of the end of orphans they stay in the list of processes. */
  private static boolean isGone(ProcessHandle process) {
    try {
      return !process.isAlive()
          || Files.readString(Path.of("/proc/" + process.pid() + "/status")).contains("State:\tZ");
    } catch (IOException e) {
      return true;
    }
  }

  /** Runs a statement that takes for ever in one call. */
  static final class Parent {

    private Parent() {}

    public static void main(String[] arguments) {
      LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
      fixture.initialiser().init();
      Ledger ledger =
          fixture.open(
              LedgerFixture.options()
                  .withQueries(
                      LedgerFixture.QUERIES
                          .withCache(Path.of(arguments[0]))
                          .withIsolation(Isolation.OWN_PROCESS)));
      SqlLimits ample = SqlLimits.standard().withTime(Duration.ofHours(1));
      ledger.query().sql(ENDLESS).within(ample).execute();
    }
  }

  @Test
  void aProcessKnowsNoSecretsAndWritesNoCoreDump() throws Exception {
    read("FROM Cust", SMALL, new CancellationToken());
    ProcessHandle idle = workers().get(0);
    String environment = Files.readString(Path.of("/proc/" + idle.pid() + "/environ"));
    assertThat(environment.split("\0"))
        .allMatch(
            each -> each.matches("(LANG|LC_ALL|LC_CTYPE|LD_LIBRARY_PATH|MALLOC_ARENA_MAX|PWD)=.*"));
    assertThat(Files.readAllLines(Path.of("/proc/" + idle.pid() + "/limits")))
        .anyMatch(line -> line.matches("Max core file size +0 +0 .*"))
        .anyMatch(line -> line.matches("Max cpu time +[0-9]+ .*"))
        .anyMatch(line -> line.matches("Max address space +[0-9]+ +[0-9]+ .*"))
        .anyMatch(line -> line.matches("Max data size +[0-9]+ +[0-9]+ .*"));
  }

  @Test
  void oneProcessRunsOneStatementAfterTheOther() {
    read("FROM Cust", SMALL, new CancellationToken());
    ProcessHandle first = newest();
    for (int i = 0; i < 3; i++) {
      assertThat(read("SELECT * FROM Cust", SMALL, new CancellationToken())).isEqualTo(4);
      assertThatThrownBy(() -> read("SELECT nothing FROM Cust", SMALL, new CancellationToken()))
          .isInstanceOf(InvalidSqlException.class);
    }
    assertThat(newest()).isEqualTo(first);
  }

  private static ProcessHandle newest() {
    return workers().stream()
        .max(Comparator.comparing(worker -> worker.info().startInstant().orElseThrow()))
        .orElseThrow();
  }

  @Test
  void aProcessThatWasKilledIsAnErrorOfItsStatementAlone() throws Exception {
    SqlLimits ample = SqlLimits.standard().withTime(Duration.ofHours(1));
    ExecutorService one = Executors.newSingleThreadExecutor();
    try {
      Future<?> asked = one.submit(() -> read(ENDLESS, ample, new CancellationToken()));
      until(() -> workers().stream().anyMatch(worker -> cpuSeconds(worker) >= 2));
      workers().stream()
          .filter(worker -> cpuSeconds(worker) >= 2)
          .forEach(ProcessHandle::destroyForcibly);
      assertThatThrownBy(asked::get)
          .hasCauseInstanceOf(SqlLimitException.class)
          .hasMessageContaining("ended with code 137")
          .hasMessageContaining("more than 1GB of memory; ask for less, or raise the limit");
    } finally {
      one.shutdownNow();
    }
    assertThat(read("FROM Cust", ample, new CancellationToken())).isEqualTo(4);
  }

  @Test
  void anIdleProcessThatWasKilledIsNoErrorOfTheNextStatement() {
    assertThat(read("FROM Cust", SMALL, new CancellationToken())).isEqualTo(4);
    workers().forEach(ProcessHandle::destroyForcibly);
    assertThat(read("FROM Cust", SMALL, new CancellationToken())).isEqualTo(4);
  }

  @Test
  void aRequestThatTheProcessHasNoMemoryForIsToldAtOnce() {
    SqlLimits ample = new SqlLimits(Duration.ofHours(1), "50MB", "100MB", 1000, "1GB");
    JsonNode text = JsonNodeFactory.instance.textNode("x".repeat(50_000_000));
    assertThatThrownBy(
            () ->
                ledger
                    .query()
                    .sql("SELECT length(?)")
                    .with(List.of(text))
                    .within(ample)
                    .execute()
                    .close())
        .isInstanceOf(SqlLimitException.class)
        .hasMessageContaining("more than 50MB of memory for its parameters and its answer");
  }

  @Test
  void aRowOfAnAnswerHasALargestSize() {
    String text = "SELECT list_aggregate(list_transform(range(0, %d), lambda x: %s), 'string_agg')";
    assertThatThrownBy(
            () ->
                read(
                    text.formatted(900, "repeat('ab', 10000)"),
                    SqlLimits.standard(),
                    new CancellationToken()))
        .isInstanceOf(SqlLimitException.class)
        .hasMessageMatching(
            "a row of the answer has 18,000,[0-9]+ bytes, and may have 16,777,216 \\(16 MiB\\);"
                + " select fewer or shorter values");
    assertThat(
            read(
                text.formatted(800, "repeat('ab', 10000)"),
                SqlLimits.standard(),
                new CancellationToken()))
        .isEqualTo(1);
  }

  @Test
  void aMessageThatQuotesALongValueIsCut() {
    assertThatThrownBy(
            () ->
                read(
                    "SELECT concat(" + "repeat('x', 10000), ".repeat(50) + "'')::INTEGER",
                    SqlLimits.standard(),
                    new CancellationToken()))
        .isInstanceOf(InvalidSqlException.class)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(11_000).endsWith(" .."));
  }

  private static long cpuSeconds(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toSeconds();
  }
}
