// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Pool of replaced files, kept to be written again.
 *
 * <p>File systems are slowest at making and freeing a file with each write. When ext4 looks for a
 * free file it skips every file that was freed in the last seconds. It writes a new file's bytes to
 * the disk when it replaces another, and tells the disk of freed space. A file that is used again
 * costs none of that.
 *
 * <p>It does cost readers something. A file that was replaced can have new bytes in it after a
 * while, so a reader of a file that small has to check its version after the last byte. Other
 * programs don't look; for them a file stays what it was until so many other writes have been made
 * as there are spares. A file with a second name elsewhere, such as in a backup made of links, or
 * with an owner or a mode of its own is never used again.
 */
final class RecycledFiles {

  /** Attributes that a file must have in common with a new one to be used again. */
  private static final String ORDINARY = "unix:mode,uid,gid,nlink";

  /**
   * Each write changes a folder of spares twice, for which the kernel locks it, and looks through
   * it for the name. So there are several, each short enough that its names are in one block.
   */
  private static final int FOLDERS = 8;

  /** A file to be written, with so many bytes in it. */
  private record RecycledFile(Path file, long size) {}

  private final List<Path> folders;
  private final String prefix;
  private final int kept;
  private final AtomicLong files = new AtomicLong();
  private final Deque<Path> free = new ArrayDeque<>();
  private volatile Map<String, Object> ordinary = Map.of();
  private volatile boolean unsupported;

  /**
   * Looks after spares.
   *
   * @param folder see {@link #folders}
   */
  RecycledFiles(Path folder, long writer, int kept) {
    this.folders = folders(folder);
    this.prefix = Long.toHexString(writer) + "-";
    this.kept = kept;
  }

  /**
   * Returns the folders below this one that files are kept in, which are to be made before the
   * first.
   */
  static List<Path> folders(Path folder) {
    return IntStream.range(0, FOLDERS).mapToObj(i -> folder.resolve(Integer.toString(i))).toList();
  }

  /** Returns a file with these bytes and this time, not durable; a used one if there are enough. */
  Path write(byte[] bytes, FileVersion fileVersion) throws IOException {
    RecycledFile recycledFile = take();
    Path file = recycledFile.file();
    boolean written = false;
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.write(bytes);
      if (recycledFile.size() > bytes.length) {
        out.setLength(bytes.length);
      }
      setTime(file, FileVersion.fileTime(fileVersion.stampMicros()));
      written = true;
    } finally {
      if (!written) {
        Files.deleteIfExists(file);
      }
    }
    return file;
  }

  /** With the time of access too, which would be looked up first if it were to stay. */
  private static void setTime(Path file, FileTime time) throws IOException {
    Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(time, time, null);
  }

  /** Gives a file that is about to be replaced a second name, by which it stays. */
  Optional<Path> retain(Path file) {
    if (unsupported) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.createLink(newPath(), file));
    } catch (IOException | UnsupportedOperationException e) {
      unsupported = true; // then files are made and freed
      return Optional.empty();
    }
  }

  /** Hands over a file that was replaced. */
  synchronized void add(Path file) {
    free.add(file);
  }

  /** Removes all. */
  synchronized void clear() throws IOException {
    for (Path file : free) {
      Files.deleteIfExists(file);
    }
    free.clear();
  }

  /** Its length is looked up with the rest: another program may have put its own in place. */
  private RecycledFile take() throws IOException {
    Optional<Path> used = next();
    if (used.isEmpty()) {
      return fresh();
    }
    Path file = used.get();
    Map<String, Object> now =
        new HashMap<>(Files.readAttributes(file, ORDINARY + ",size", LinkOption.NOFOLLOW_LINKS));
    long size = ((Number) Objects.requireNonNull(now.remove("size"), "was asked for")).longValue();
    if (now.equals(ordinary)) {
      return new RecycledFile(file, size);
    }
    Files.delete(file);
    return fresh();
  }

  private synchronized Optional<Path> next() {
    return free.size() > kept ? Optional.of(free.remove()) : Optional.empty();
  }

  private RecycledFile fresh() throws IOException {
    Path file = Files.createFile(newPath());
    if (ordinary.isEmpty() && !unsupported) {
      recordSize(file);
    }
    return new RecycledFile(file, 0);
  }

  private void recordSize(Path file) throws IOException {
    try {
      ordinary = Map.copyOf(Files.readAttributes(file, ORDINARY));
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      unsupported = true;
    }
  }

  private Path newPath() {
    long number = files.incrementAndGet();
    return folders.get((int) (number % folders.size())).resolve(prefix + number);
  }
}
