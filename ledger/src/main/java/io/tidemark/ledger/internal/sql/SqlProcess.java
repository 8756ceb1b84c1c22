// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.sql.MessageFraming.Message;
import io.tidemark.ledger.internal.sql.MessageFraming.MessageKind;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;
import org.slf4j.Logger;

/**
 * Process that runs statements, with limits that the system enforces on it: memory, address space
 * and CPU time. It knows no secrets: its environment is empty but for the locale, and its arguments
 * are those of Java.
 */
final class SqlProcess {

  /** The code that a process ends with when the heap of its JVM is full. */
  static final int OUT_OF_MEMORY = 3;

  /** The code that a process ends with when its own code has failed. */
  static final int FAILED = 4;

  private static final int CPU_SIGNAL = 152;

  private static final int MOST_STATEMENTS = 200;
  private static final Duration DYING = Duration.ofSeconds(5);

  private final Process process;
  private final InputStream in;
  private final OutputStream out;
  private final SqlLimits limits;
  private final HardLimits hard;
  private final long cpuSeconds;
  private boolean ready;
  private boolean idle;
  private int statements;

  private SqlProcess(Process process, SqlLimits limits, HardLimits hard, long cpuSeconds) {
    this.process = process;
    this.in = new BufferedInputStream(process.getInputStream(), 1 << 16);
    this.out = new BufferedOutputStream(process.getOutputStream());
    this.limits = limits;
    this.hard = hard;
    this.cpuSeconds = cpuSeconds;
  }

  /** Starts a process, which gets ready while the caller does other things. */
  static SqlProcess start(Path cache, SqlLimits limits, HardLimits hard) {
    long cpu = 2 * cpuSeconds(limits);
    List<String> command = new ArrayList<>(hard.prefix(limits.memoryBytes(), cpu));
    command.addAll(java(limits.memoryBytes()));
    command.add(SqlWorker.class.getName());
    command.add(cache.toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    keepLocale(builder.environment());
    try {
      return new SqlProcess(builder.start(), limits, hard, cpu);
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "a process for SQL can't be started: "
              + e.getMessage()
              + "; look at the memory and the number of processes of this machine",
          e);
    }
  }

  private static void keepLocale(Map<String, String> environment) {
    environment.keySet().removeIf(name -> !name.matches("LANG|LC_ALL|LC_CTYPE|LD_LIBRARY_PATH"));
    environment.put("MALLOC_ARENA_MAX", "2"); // each arena reserves 64 MB of addresses
  }

  /** Returns as much as all cores use in the time of a statement, and what a start takes. */
  private static long cpuSeconds(SqlLimits limits) {
    return HardLimits.CORES * (limits.time().toSeconds() + 1) + 10;
  }

  private static List<String> java(long memory) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xms16m",
                "-Xmx" + HardLimits.heap(memory),
                "-XX:+ExitOnOutOfMemoryError", // with OUT_OF_MEMORY, whichever thread it is
                "-XX:CompressedClassSpaceSize=32m",
                "-XX:ReservedCodeCacheSize=32m",
                "-XX:-UsePerfData",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:+SuppressFatalErrorMessage",
                "-Xshare:auto"));
    Optional<String> archive =
        ProcessHandle.current().info().arguments().stream()
            .flatMap(Stream::of)
            .filter(each -> each.startsWith("-XX:SharedArchiveFile="))
            .findFirst();
    archive.ifPresent(command::add); // it fits the class path of this process only
    String all = System.getProperty("java.class.path", "");
    command.addAll(List.of("-cp", archive.isPresent() ? all : needed().orElse(all)));
    return command;
  }

  /** Returns the places of the few libraries that are needed; empty if one isn't a file. */
  private static Optional<String> needed() {
    Set<String> places = new LinkedHashSet<>();
    for (Class<?> each :
        List.of(
            SqlWorker.class,
            TidemarkException.class,
            JsonNode.class,
            JsonFactory.class,
            JsonProperty.class,
            DuckDBDriver.class,
            Logger.class)) {
      CodeSource source = each.getProtectionDomain().getCodeSource();
      try {
        if (source == null || !source.getLocation().getProtocol().equals("file")) {
          return Optional.empty();
        }
        places.add(Path.of(source.getLocation().toURI()).toString());
      } catch (URISyntaxException e) {
        return Optional.empty();
      }
    }
    return Optional.of(String.join(System.getProperty("path.separator", ":"), places));
  }

  /**
   * Returns whether a statement with these limits can run in it.
   *
   * @param hard what the system has to enforce; a process that was started without need of that may
   *     have no limits at all
   */
  boolean accepts(SqlLimits limits, HardLimits hard) {
    Duration used = process.info().totalCpuDuration().orElse(Duration.ZERO);
    return isAlive()
        && (this.hard.required() || !hard.required())
        && this.limits.memoryBytes() == limits.memoryBytes()
        && statements < MOST_STATEMENTS
        && used.toSeconds() + cpuSeconds(limits) <= cpuSeconds;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Marks the process as kept for a later statement. */
  void markIdle() {
    idle = true;
  }

  /** Returns whether it has been kept for later statements, so that it may have died meanwhile. */
  boolean wasIdle() {
    return idle;
  }

  /** Waits until it can take a statement. */
  void awaitReady() throws IOException {
    if (!ready) {
      read();
      ready = true;
    }
  }

  void send(MessageKind messageKind, MessageFraming.ContentWriter contentWriter)
      throws IOException {
    if (messageKind == MessageKind.CHECK) {
      statements++;
    }
    MessageFraming.write(out, messageKind, contentWriter);
  }

  Message read() throws IOException {
    return MessageFraming.read(in, MessageFraming.LARGEST_ANSWER);
  }

  /** Kills the process, whatever it is doing. */
  void kill() {
    process.destroyForcibly();
  }

  /** Kills the process and waits for its end, so that it has no files open any more. */
  void end() {
    kill();
    exitCode();
  }

  /** Returns the code that it ended with; empty if it doesn't end. */
  private Optional<Integer> exitCode() {
    boolean interrupted = false;
    try {
      long deadline = System.nanoTime() + DYING.toNanos();
      while (true) {
        try {
          return process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
              ? Optional.of(process.exitValue())
              : Optional.empty();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the reason for which it broke off, when this process hasn't ended it. */
  RuntimeException failure() {
    int code = exitCode().orElse(-1);
    kill();
    if (code == HardLimits.NOT_SET) {
      return new StoreUnavailableException(
          "SQL isn't run, since this system doesn't limit the memory or the time of a process; "
              + HardLimits.REMEDY,
          null);
    }
    if (code == OUT_OF_MEMORY) {
      return new SqlLimitException(
          "the statement needs more than "
              + limits.memory()
              + " of memory for its parameters and its answer; ask for less, or raise the limit");
    }
    if (code == CPU_SIGNAL) {
      return new SqlLimitException(
          "the statement was ended since its process had used "
              + cpuSeconds
              + " s of CPU time; ask for less, or give it more time");
    }
    if (!ready) {
      return new StoreUnavailableException(
          "a process for SQL ended with code "
              + code
              + " before it was ready; look at the memory of this machine",
          null);
    }
    if (code == 0 || code == FAILED) {
      return new IllegalStateException("the process of the statement ended with code " + code);
    }
    // A JVM, a library or the linker that gets no memory ends with 1, 127, 134, 137 or 139.
    return new SqlLimitException(
        "the process of the statement ended with code "
            + code
            + ", as it does when it needs more than "
            + limits.memory()
            + " of memory; ask for less, or raise the limit");
  }
}
