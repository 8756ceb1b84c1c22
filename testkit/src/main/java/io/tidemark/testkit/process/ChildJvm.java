// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A Java process that runs a main method of the current class path. What it prints is read line by
 * line; it can be told lines, and be killed. Close it, and it is gone.
 *
 * <p>The time limits here only turn a hang into a failure that shows what the child wrote.
 */
public final class ChildJvm implements AutoCloseable {
  private static final long LIMIT_SECONDS = 120;

  private final Process process;
  private final Writer input;
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
  private final List<Thread> readers;

  private ChildJvm(Process process) {
    this.process = process;
    this.input =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.readers =
        List.of(
            reader("lines", () -> readLines(process.getInputStream())),
            reader("errors", () -> readErrors(process.getErrorStream())));
  }

  /** Starts a process. */
  public static ChildJvm start(Class<?> main, String... arguments) {
    return start(Map.of(), main, arguments);
  }

  /** Starts a process with these system properties. */
  public static ChildJvm start(Map<String, String> properties, Class<?> main, String... arguments) {
    return start(256, properties, main, arguments);
  }

  /** Starts a process that has less memory than the usual 256 MB, or more. */
  public static ChildJvm startWithHeap(int megabytes, Class<?> main, String... arguments) {
    return start(megabytes, Map.of(), main, arguments);
  }

  private static ChildJvm start(
      int megabytes, Map<String, String> properties, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    // What a shell starts in the background ignores Ctrl-C, and would pass that on to the child.
    command.addAll(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Started often and for a short while: less compiling, and no more memory than is needed.
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx" + megabytes + "m"));
    properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    try {
      return new ChildJvm(new ProcessBuilder(command).start()).begin();
    } catch (IOException e) {
      throw new UncheckedIOException("can't start " + main.getName(), e);
    }
  }

  private static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path", "");
    return surefire.isEmpty() ? System.getProperty("java.class.path") : surefire;
  }

  private ChildJvm begin() {
    readers.forEach(Thread::start);
    return this;
  }

  /** Tells the child a line. */
  public void send(String line) {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the child can't be told \"" + line + "\"; " + state(), e);
    }
  }

  /** The next line the child prints; empty when it has ended. */
  public Optional<String> nextLine() {
    try {
      Optional<String> line = lines.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError("the child printed nothing for long; " + state());
      }
      if (line.isEmpty()) {
        lines.add(line); // whoever asks again gets the same answer
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the child", e);
    }
  }

  /** Waits for exactly this line. */
  public ChildJvm expectLine(String expected) {
    Optional<String> line = nextLine();
    if (!line.equals(Optional.of(expected))) {
      throw new AssertionError("expected \"" + expected + "\", got " + line + "; " + state());
    }
    return this;
  }

  /** All lines until the child ends by itself, which it must do without an error. */
  public List<String> linesToEnd() {
    List<String> rest = drain();
    awaitEnd();
    if (process.exitValue() != 0) {
      throw new AssertionError("the child failed after printing " + rest + "; " + state());
    }
    return rest;
  }

  /** Kills the child at once, as {@code kill -9} does; returns what it had printed by then. */
  public List<String> kill() {
    // By its handle: the process's own method also throws away what it printed and we didn't read.
    process.toHandle().destroyForcibly();
    awaitEnd();
    return drain();
  }

  /**
   * Sends the child a signal that it ends by, unless it has ended; returns the exit code.
   *
   * @param signal such as {@code INT}, which is what Ctrl-C sends
   */
  public int endBy(String signal) {
    try {
      String pid = String.valueOf(process.pid());
      int sent = new ProcessBuilder("kill", "-" + signal, pid).start().waitFor();
      if (sent != 0 && process.isAlive()) {
        throw new AssertionError("the child couldn't be sent " + signal + "; " + state());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't start kill", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending a signal", e);
    }
    awaitEnd();
    return process.exitValue();
  }

  /** Whether it hasn't ended yet. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it has written to its standard error so far. */
  public List<String> errors() {
    return List.copyOf(errors);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    awaitEnd();
  }

  private List<String> drain() {
    List<String> rest = new ArrayList<>();
    for (Optional<String> line = nextLine(); line.isPresent(); line = nextLine()) {
      rest.add(line.get());
    }
    return rest;
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the child doesn't end; " + state());
      }
      for (Thread reader : readers) {
        reader.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the child's end", e);
    }
  }

  private String state() {
    String ended = process.isAlive() ? "it is running" : "it ended with " + process.exitValue();
    return ended + (errors.isEmpty() ? "" : " and wrote:\n" + String.join("\n", errors));
  }

  private static Thread reader(String what, Runnable read) {
    Thread thread = new Thread(read, "child-" + what);
    thread.setDaemon(true);
    return thread;
  }

  private void readLines(InputStream stream) {
    try (BufferedReader reader = reader(stream)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(Optional.of(line));
      }
    } catch (IOException e) {
      errors.add("reading what the child printed failed: " + e);
    } finally {
      lines.add(Optional.empty());
    }
  }

  private void readErrors(InputStream stream) {
    try (BufferedReader reader = reader(stream)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        errors.add(line);
      }
    } catch (IOException e) {
      errors.add("reading the child's errors failed: " + e);
    }
  }

  private static BufferedReader reader(InputStream stream) {
    return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }
}
