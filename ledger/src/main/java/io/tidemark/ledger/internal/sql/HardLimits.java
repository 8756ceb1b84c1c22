// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.objects.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits of memory, addresses and CPU time that the system enforces on a process for SQL. A shell
 * sets them and then becomes the process.
 *
 * <p>Memory is limited as data ({@code RLIMIT_DATA}), which counts what can be written and isn't
 * shared. A JVM reserves far more addresses than it uses, so the limit on addresses is wider; it is
 * for systems that don't count data so. One of the two suffices, since macOS has no limit on
 * addresses. A limit that is lower already stays.
 *
 * @param shell the shell that sets the limits
 * @param required whether no process may start without limits
 */
record HardLimits(Path shell, boolean required) {

  /** The code that the shell ends with when the system doesn't take a limit. */
  static final int NOT_SET = 90;

  static final String REMEDY =
      "install /bin/sh and allow ulimit -d and -t, or allow SQL without hard limits"
          + " (--allow-unlimited-sql, in Java Isolation.UNLIMITED_PROCESS)";

  private static final Logger LOG = LoggerFactory.getLogger(HardLimits.class);

  private static final long MIB = 1 << 20;
  private static final long BASE = 256 * MIB;
  private static final long PER_CORE = 16 * MIB;
  private static final long RESERVED = 3L << 30;
  private static final long LARGEST_HEAP = 8L << 30;
  static final int CORES = Runtime.getRuntime().availableProcessors();

  /** Ignores what a terminal or a service manager sends to all; the parent decides. */
  private static final String SCRIPT =
      """
      trap '' INT HUP TERM
      holds() {
        ulimit -S "-$1" "$2" 2>/dev/null
        case $(ulimit -S "-$1" 2>/dev/null) in '' | unlimited) return 1 ;; esac
      }
      ulimit -c 0
      holds d "$1" && memory=held && ulimit -H -d "$1" 2>/dev/null
      holds v "$2" && memory=held && ulimit -H -v "$2" 2>/dev/null
      holds t "$3" && time=held
      [ "$memory$time" = heldheld ] || [ "$4" != required ] || exit 90
      shift 4
      exec "$@"
      """;

  /** Returns the limits of this machine's shell. */
  static HardLimits ofThisMachine(boolean required) {
    return new HardLimits(Path.of("/bin/sh"), required);
  }

  /** Fails if limits are required and there is no shell to set them. */
  void check() {
    if (required && !Files.isExecutable(shell)) {
      throw new StoreUnavailableException(
          "SQL isn't run, since "
              + shell
              + " isn't there to limit its process to the memory of a statement; "
              + REMEDY,
          null);
    }
  }

  /** Returns what comes before the command of a process, to limit it; nothing without a shell. */
  List<String> prefix(long memory, long cpuSeconds) {
    check();
    if (!Files.isExecutable(shell)) {
      LOG.warn("a process for SQL has no limit of memory, since {} isn't there", shell);
      return List.of();
    }
    long data = data(memory);
    return List.of(
        shell.toString(),
        "-c",
        SCRIPT,
        "tidemark-sql",
        Long.toString(data / 1024),
        Long.toString((data + RESERVED) / 1024),
        Long.toString(cpuSeconds),
        required ? "required" : "optional");
  }

  /** Returns how large the heap of Java may be, for statements with some memory. */
  static long heap(long memory) {
    return Math.max(64 * MIB, Math.min(memory / 2, LARGEST_HEAP));
  }

  /** Returns how much a process may write that isn't shared, for statements with some memory. */
  static long data(long memory) {
    return memory + heap(memory) + BASE + CORES * PER_CORE;
  }
}
