// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.internal.sql.MessageFraming.Message;
import io.tidemark.ledger.internal.sql.MessageFraming.MessageKind;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.objects.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes for SQL: how they are shared, what limits them, and what their failures are called. */
@Timeout(120)
class SqlProcessPoolTest {

  private static final SqlLimits LIMITS = SqlLimits.standard();
  private static final SqlRun.Tables NO_TABLES = new SqlRun.Tables(List.of(), Set.of(), List.of());

  @TempDir private Path directory;
  private Path cache;
  private final Set<ProcessHandle> before = children();

  @BeforeEach
  void cache() {
    cache = directory.resolve("cache");
  }

  @AfterEach
  void endsAllProcesses() {
    for (ProcessHandle worker : workers()) {
      assertThat(worker.onExit()).succeedsWithin(Duration.ofSeconds(60));
    }
  }

  private static Set<ProcessHandle> children() {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .collect(Collectors.toSet());
  }

  /** Processes of this test, and none that another test has left in this JVM. */
  private Set<ProcessHandle> workers() {
    Set<ProcessHandle> workers = new HashSet<>(children());
    workers.removeAll(before);
    return workers;
  }

  private void killAll() {
    Set<ProcessHandle> all = workers();
    assertThat(all).isNotEmpty();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(worker -> worker.onExit().join());
  }

  private static String answer(SqlRun run) throws Exception {
    SqlRun.Rows rows = run.execute(NO_TABLES);
    String first = rows.next().orElseThrow().toString();
    assertThat(rows.next()).isEmpty();
    return first;
  }

  private static SqlRun begin(SqlProcessPool processes, String sql) {
    return processes.begin(sql, LIMITS, new CancellationToken());
  }

  private static void ask(SqlProcessPool processes) throws Exception {
    try (SqlRun run = begin(processes, "SELECT 42")) {
      run.check();
      assertThat(answer(run)).isEqualTo("[42]");
    }
  }

  @Test
  void closingTwiceTakesNothingFromAnotherUser() throws Exception {
    SqlProcessPool first = SqlProcessPool.in(cache);
    try (SqlProcessPool second = SqlProcessPool.in(cache)) {
      ask(second);
      Set<ProcessHandle> idle = workers();
      first.close();
      first.close();
      ask(second);
      assertThat(workers()).isEqualTo(idle).hasSize(1);
      assertThatThrownBy(() -> begin(first, "SELECT 1"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the ledger was closed, and its queries with it");
    }
  }

  @Test
  void aProcessWithoutLimitsIsLeftToStatementsThatNeedNone() throws Exception {
    HardLimits none = new HardLimits(directory.resolve("no-shell"), false);
    try (SqlProcessPool unlimited = SqlProcessPool.in(cache, none);
        SqlProcessPool limited = SqlProcessPool.in(cache)) {
      ask(unlimited);
      Set<ProcessHandle> withoutLimits = workers();
      ask(limited);
      assertThat(workers()).hasSize(2).containsAll(withoutLimits);
      ask(unlimited);
      assertThat(workers()).as("one with limits will do as well").hasSize(2);
    }
  }

  @Test
  void aStatementThatIsUnderWayAtTheEndIsAnsweredAndItsProcessEnds() throws Exception {
    SqlProcessPool processes = SqlProcessPool.in(cache);
    try (SqlRun run = begin(processes, "SELECT 42")) {
      run.check();
      processes.close();
      assertThat(answer(run)).isEqualTo("[42]");
    }
    processes.prepare(LIMITS);
  }

  @Test
  void anIdleProcessThatDiedIsReplacedByTheNextStatement() throws Exception {
    try (SqlProcessPool processes = SqlProcessPool.in(cache)) {
      ask(processes);
      killAll();
      ask(processes);
      try (SqlRun run = begin(processes, "SELECT 42")) {
        killAll();
        run.check();
        assertThat(answer(run)).as("died before it was asked").isEqualTo("[42]");
      }
      try (SqlRun run = begin(processes, "SELECT 42")) {
        run.check();
        killAll();
        assertThat(answer(run)).as("died before the tables were made").isEqualTo("[42]");
      }
    }
  }

  @Test
  void aStatementIsToldOfTheSecondProcessThatDies() throws Exception {
    try (SqlProcessPool processes = SqlProcessPool.in(cache)) {
      ask(processes);
      try (SqlRun run = begin(processes, "SELECT 42")) {
        killAll();
        run.check();
        killAll();
        assertThatThrownBy(() -> answer(run))
            .isInstanceOf(SqlLimitException.class)
            .hasMessageContaining("ended with code 137");
      }
    }
  }

  @Test
  void aFailureOfTheProcessIsNoLackOfMemory() throws Exception {
    SqlProcess process = SqlProcess.start(cache, LIMITS, HardLimits.ofThisMachine(true));
    try {
      process.awaitReady();
      process.send(MessageKind.ANSWER, content -> content.writeInt(0)); // of no statement
      Message told = process.read();
      assertThat(told.kind()).isEqualTo(MessageKind.FAILED);
      assertThat(PipeValueCodec.text(told.content())).isEqualTo(SqlWorker.INTERNAL);
      assertThat(PipeValueCodec.text(told.content())).contains("NoSuchElementException");

      process.send(MessageKind.CHECK, content -> content.writeByte(1)); // cut off
      assertThatThrownBy(process::read).isInstanceOf(IOException.class);
      assertThat(process.failure())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the process of the statement ended with code 4");
    } finally {
      process.end();
    }
  }

  @Test
  void withoutAShellNoStatementIsRunUnlessThatIsAllowed() throws Exception {
    Path none = directory.resolve("sh");
    try (SqlProcessPool required = SqlProcessPool.in(cache, new HardLimits(none, true))) {
      required.prepare(LIMITS);
      assertThatThrownBy(() -> begin(required, "SELECT 1"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining(none + " isn't there")
          .hasMessageContaining("--allow-unlimited-sql");
    }
    try (SqlProcessPool allowed = SqlProcessPool.in(cache, new HardLimits(none, false))) {
      ask(allowed);
    }
  }

  @Test
  void whereTheSystemSetsNoLimitsNoStatementIsRunUnlessThatIsAllowed() throws Exception {
    Path shell = shell("ulimit() { [ \"$1$#\" != -S2 ] || echo unlimited; }");
    try (SqlProcessPool required = SqlProcessPool.in(cache, new HardLimits(shell, true));
        SqlRun run = begin(required, "SELECT 42")) {
      assertThatThrownBy(run::check)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("doesn't limit the memory or the time of a process")
          .hasMessageContaining("--allow-unlimited-sql");
    }
    try (SqlProcessPool allowed = SqlProcessPool.in(cache, new HardLimits(shell, false))) {
      ask(allowed);
    }
  }

  @Test
  void aLimitThatIsLowerAlreadyIsEnough() throws Exception {
    Path shell = shell("ulimit -d 900000; ulimit -v 9000000; ulimit -t 20");
    try (SqlProcessPool required = SqlProcessPool.in(cache, new HardLimits(shell, true))) {
      ask(required);
    }
  }

  /** Returns a shell that runs a command before the script it is given. */
  private Path shell(String first) throws IOException {
    Path shell = directory.resolve("sh");
    Files.writeString(
        shell,
        "#!/bin/sh\nscript=$2\nname=$3\nshift 3\nexec /bin/sh -c '"
            + first
            + "\n'\"$script\" \"$name\" \"$@\"\n");
    Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwx------"));
    return shell;
  }
}
