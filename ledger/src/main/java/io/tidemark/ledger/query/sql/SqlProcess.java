// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.sql;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.query.sql.Frames.Frame;
import io.tidemark.ledger.query.sql.Frames.Kind;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;
import org.slf4j.Logger;

/**
 * Process that runs statements, with limits that the system enforces on it: memory, address space
 * and CPU time. It knows no secrets: its environment is empty but for the locale, and its arguments
 * are those of Java.
 *
 * <p>Memory is limited as data ({@code RLIMIT_DATA}), which counts what can be written and isn't
 * shared. A JVM reserves far more addresses than it uses, so the limit on addresses is wider; it is
 * for systems that don't count data so.
 */
final class SqlProcess {

  /** The code that a process ends with when the heap of its JVM is full. */
  static final int OUT_OF_MEMORY = 3;

  private static final int CPU_SIGNAL = 152;
  private static final long MIB = 1 << 20;
  private static final long BASE = 256 * MIB;
  private static final long PER_CORE = 16 * MIB;
  private static final long RESERVED = 3L << 30;
  private static final int MOST_STATEMENTS = 200;
  private static final Duration DYING = Duration.ofSeconds(5);
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  /** Ignores what a terminal or a service manager sends to all; the parent decides. */
  private static final String SHELL =
      "trap '' INT HUP TERM; ulimit -c 0; ulimit -d $1; ulimit -v $2; ulimit -S -t $3;"
          + " shift 3; exec \"$@\"";

  private static final Pattern SIZE = Pattern.compile("(?i)([0-9]+) *([KMGT]?)(i?)B?");

  private final Process process;
  private final InputStream in;
  private final OutputStream out;
  private final String memory;
  private final long cpuSeconds;
  private boolean ready;
  private int statements;

  private SqlProcess(Process process, String memory, long cpuSeconds) {
    this.process = process;
    this.in = new BufferedInputStream(process.getInputStream(), 1 << 16);
    this.out = new BufferedOutputStream(process.getOutputStream());
    this.memory = memory;
    this.cpuSeconds = cpuSeconds;
  }

  /** Starts one, which gets ready while the caller does other things. */
  static SqlProcess start(Path cache, SqlLimits limits) {
    long cpu = 2 * cpuSeconds(limits);
    List<String> command = new ArrayList<>();
    Optional<Long> bytes = bytes(limits.memory());
    if (Files.isExecutable(Path.of("/bin/sh"))) {
      String data = bytes.map(b -> Long.toString(dataLimit(b) / 1024)).orElse("unlimited");
      String space =
          bytes.map(b -> Long.toString((dataLimit(b) + RESERVED) / 1024)).orElse("unlimited");
      command.addAll(List.of("/bin/sh", "-c", SHELL, "tidemark-sql", data, space, "" + cpu));
    }
    command.addAll(java(bytes.orElse(1L << 30)));
    command.add(SqlWorker.class.getName());
    command.add(cache.toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    keepLocale(builder.environment());
    try {
      return new SqlProcess(builder.start(), limits.memory(), cpu);
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "a process for SQL can't be started: "
              + e.getMessage()
              + "; look at the memory and the"
              + " number of processes of this machine",
          e);
    }
  }

  private static void keepLocale(Map<String, String> environment) {
    environment.keySet().removeIf(name -> !name.matches("LANG|LC_ALL|LC_CTYPE|LD_LIBRARY_PATH"));
    environment.put("MALLOC_ARENA_MAX", "2"); // each arena reserves 64 MB of addresses
  }

  /** As much as all cores use in the time of a statement, and what a start takes. */
  private static long cpuSeconds(SqlLimits limits) {
    return CORES * (limits.time().toSeconds() + 1) + 10;
  }

  private static long heap(long memory) {
    return Math.max(64 * MIB, memory / 2);
  }

  /** Returns how much a process may write that isn't shared, for statements with some memory. */
  static long dataLimit(long memory) {
    return memory + heap(memory) + BASE + CORES * PER_CORE;
  }

  /** Returns the bytes of a size as DuckDB writes them; empty for a percentage. */
  static Optional<Long> bytes(String size) {
    Matcher matcher = SIZE.matcher(size.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int power = " KMGT".indexOf(matcher.group(2).toUpperCase(Locale.ROOT) + "");
    long unit = 1;
    for (int i = 0; i < (matcher.group(2).isEmpty() ? 0 : power); i++) {
      unit *= matcher.group(3).isEmpty() ? 1000 : 1024;
    }
    return Optional.of(Long.parseLong(matcher.group(1)) * unit);
  }

  private static List<String> java(long memory) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xms16m",
                "-Xmx" + heap(memory),
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

  /** The places of the few libraries that are needed; empty if one isn't a file. */
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

  /** Whether a statement with these limits can run in it. */
  boolean suits(SqlLimits limits) {
    Duration used = process.info().totalCpuDuration().orElse(Duration.ZERO);
    return isAlive()
        && memory.equals(limits.memory())
        && statements < MOST_STATEMENTS
        && used.toSeconds() + cpuSeconds(limits) <= cpuSeconds;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until it can take a statement. */
  void awaitReady() throws IOException {
    if (!ready) {
      Frames.read(in);
      ready = true;
    }
  }

  void send(Kind kind, Frames.Content content) throws IOException {
    if (kind == Kind.CHECK) {
      statements++;
    }
    Frames.write(out, kind, content);
  }

  Frame read() throws IOException {
    return Frames.read(in);
  }

  /** Ends it, whatever it is doing. */
  void kill() {
    process.destroyForcibly();
  }

  /** Ends it and waits for its end, so that it has no files open any more. */
  void end() {
    kill();
    exitCode();
  }

  /** The code that it ended with; empty if it doesn't end. */
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

  /** Says why it broke off, when this process hasn't ended it. */
  TidemarkException broken() {
    int code = exitCode().orElse(-1);
    kill();
    if (code == CPU_SIGNAL) {
      return new SqlLimitException(
          "the statement was ended since its process had used "
              + cpuSeconds
              + " s of CPU time; ask for less, or give it more time");
    }
    return new SqlLimitException(
        "the process of the statement ended with code "
            + code
            + ", as it does when it needs more than "
            + memory
            + " of memory; ask for less, or raise the limit");
  }
}
