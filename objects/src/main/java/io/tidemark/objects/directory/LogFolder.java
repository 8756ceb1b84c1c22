// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The folder {@code .tidemark/log}: segments of the logs of all processes, and notes. A name begins
 * with the number of the writer that made the file.
 */
final class LogFolder {

  private static final String LOG = ".log";
  private static final String NOTES = ".notes";

  private final Path root;
  private final Path folder;
  private final long writer;
  private final HostOps hostOps;
  private final AtomicLong files = new AtomicLong();

  LogFolder(Path root, long writer, HostOps hostOps) {
    this.root = root;
    this.folder = in(root);
    this.writer = writer;
    this.hostOps = hostOps;
  }

  private static Path in(Path root) {
    return root.resolve(".tidemark").resolve("log");
  }

  /** Returns whether there is a log that was written before the machine was booted. */
  static boolean hasLogsOfAnotherBoot(Path root, HostOps hostOps) throws IOException {
    for (Path path : list(in(root), LOG)) {
      Optional<String> boot = ifThere(path, LogContents::readBoot);
      if (boot.isPresent() && !boot.get().equals(hostOps.boot())) {
        return true;
      }
    }
    return false;
  }

  /** Returns a new segment, its entry in the folder durable. */
  LogSegment newSegment(int size) throws IOException {
    Files.createDirectories(folder);
    LogSegment segment = LogSegment.create(newPath(LOG), size, hostOps);
    sync();
    return segment;
  }

  /** Returns the segments of other writers. */
  List<Path> segmentsOfOthers() throws IOException {
    return list(folder, LOG).stream().filter(path -> owner(path) != writer).toList();
  }

  /** Returns the segments of all writers. */
  List<Path> segments() throws IOException {
    return list(folder, LOG);
  }

  /** Returns the notes of all writers. */
  List<LogContents> notes() throws IOException {
    return read(list(folder, NOTES));
  }

  static List<LogContents> read(List<Path> paths) throws IOException {
    List<LogContents> found = new ArrayList<>();
    for (Path path : paths) {
      ifThere(path, LogContents::read).ifPresent(found::add);
    }
    return found;
  }

  /** Returns the writer that made a file; -1 for what is none of ours. */
  static long owner(Path path) {
    String name = path.getFileName().toString();
    int dash = name.indexOf('-');
    boolean hex =
        dash > 0 && dash <= 16 && name.chars().limit(dash).allMatch(HexFormat::isHexDigit);
    return hex ? HexFormat.fromHexDigitsToLong(name, 0, dash) : -1;
  }

  /** Writes down durably that records of these keys up to these orders are done with. */
  void writeNote(Map<String, Long> settled) throws IOException {
    List<LogRecord> records =
        settled.entrySet().stream().map(e -> LogRecord.settled(e.getValue(), e.getKey())).toList();
    ByteBuffer out = ByteBuffer.allocate(records.stream().mapToInt(LogRecord::mostBytes).sum());
    records.forEach(record -> record.write(out, 0));
    Path path = newPath(NOTES);
    Path unfinished = path.resolveSibling(path.getFileName() + ".new");
    Files.write(unfinished, LogContents.header(0, hostOps.boot()));
    Files.write(unfinished, Arrays.copyOf(out.array(), out.position()), StandardOpenOption.APPEND);
    hostOps.sync(unfinished);
    Files.move(unfinished, path);
    sync();
  }

  void remove(List<Path> paths) throws IOException {
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
    sync();
  }

  /** Makes the folder's entries durable, and the folder's own. */
  private void sync() throws IOException {
    Path top = root.getParent() == null ? root : root.getParent();
    new DirectorySync(root, top, hostOps).sync(folder);
  }

  private Path newPath(String ending) {
    return folder.resolve(Long.toHexString(writer) + "-" + files.incrementAndGet() + ending);
  }

  private static List<Path> list(Path folder, String ending) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(path -> path.toString().endsWith(ending)).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /** Reads a file that its owner may remove at any time. */
  private static <T> Optional<T> ifThere(Path path, Reading<T> reading) throws IOException {
    try {
      return reading.of(path);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private interface Reading<T> {
    Optional<T> of(Path path) throws IOException;
  }
}
