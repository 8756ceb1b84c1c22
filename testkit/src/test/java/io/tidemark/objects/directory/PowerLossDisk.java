// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A directory on a disk that loses power at a chosen moment, and then has of each file what a disk
 * may have: the state at its last sync or any later one, and of a content that wasn't synced, or of
 * a file that was replaced since and may have been used again, anything.
 */
final class PowerLossDisk {

  /** What a key's file was: a text with a time, or nothing. */
  record FileState(long stamp, Optional<String> text, Optional<Object> inode) {
    static final FileState ABSENT =
        new FileState(LogRecord.NOTHING, Optional.empty(), Optional.empty());
  }

  /** What a key's file was, and since when the disk may have any of it. */
  private static final class FileHistory {
    private final List<FileState> states = new ArrayList<>();
    private int durable;

    FileState last() {
      return states.get(states.size() - 1);
    }
  }

  private final Path root;
  private final Path shadows;
  private final RandomGenerator random;
  private final List<String> keys;
  private final Map<String, FileHistory> pasts = new HashMap<>();
  private final Set<FileState> contents = new HashSet<>();
  private Set<String> durableLogs = new HashSet<>();
  private long eventsLeft = Long.MAX_VALUE;
  private boolean off;

  PowerLossDisk(Path root, RandomGenerator random, List<String> keys) throws IOException {
    this.root = root;
    this.shadows = Files.createDirectories(root.resolveSibling(root.getFileName() + "-shadows"));
    this.random = random;
    this.keys = keys;
    for (String key : keys) {
      contents.add(past(key).last());
    }
    durableLogs = logs();
  }

  private FileHistory past(String key) {
    return pasts.computeIfAbsent(
        key,
        k -> {
          FileHistory fileHistory = new FileHistory();
          fileHistory.states.add(state(fileOf(k)));
          return fileHistory;
        });
  }

  Path root() {
    return root;
  }

  void losePowerAfter(long events) {
    eventsLeft = events;
  }

  boolean isOff() {
    return off;
  }

  /** To be called after each operation. */
  void look() throws IOException {
    for (String key : keys) {
      FileState now = state(fileOf(key));
      if (!past(key).last().equals(now)) {
        past(key).states.add(now);
      }
    }
  }

  /** Says whether the power is still on. */
  void step() throws IOException {
    if (eventsLeft-- <= 0) {
      off = true;
    }
    if (off) {
      throw new IOException("the power is off");
    }
  }

  void sync(Path path) throws IOException {
    step();
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    if (Files.isRegularFile(path)) {
      contents.add(state(path));
    } else if (path.equals(logFolder())) {
      durableLogs = logs();
    } else {
      look();
      keys.stream().filter(key -> isSyncedWith(path, fileOf(key))).forEach(this::keep);
    }
  }

  private static boolean isSyncedWith(Path directory, Path file) {
    Path nearest = ObjectFiles.directoryOf(file);
    while (!Files.exists(nearest)) {
      nearest = ObjectFiles.directoryOf(nearest);
    }
    return nearest.equals(directory);
  }

  private void keep(String key) {
    past(key).durable = past(key).states.size() - 1;
  }

  HostOps.DurableFile create(Path file, int size) throws IOException {
    step();
    Files.write(file, new byte[size]);
    Files.createLink(shadows.resolve(file.getFileName()), file);
    return new TornFile(new RandomAccessFile(file.toFile(), "rw"));
  }

  private final class TornFile implements HostOps.DurableFile {
    private final RandomAccessFile file;

    TornFile(RandomAccessFile file) {
      this.file = file;
    }

    @Override
    public void write(long position, byte[] bytes) throws IOException {
      boolean wasOff = off;
      try {
        step();
      } catch (IOException e) {
        // Headers are of the size that disks write in one piece.
        if (!wasOff && position > 0) {
          file.seek(position);
          file.write(bytes, 0, random.nextInt(bytes.length + 1));
        }
        throw e;
      }
      file.seek(position);
      file.write(bytes);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /** The directory as a process finds it that starts in the same boot, after all have died. */
  PowerLossDisk afterKill(Path place) throws IOException {
    copyAll(place);
    return new PowerLossDisk(place, random, keys);
  }

  /** The directory as it may be found after the power was lost. */
  PowerLossDisk afterPowerLoss(Path place) throws IOException {
    look();
    copyAll(place);
    for (String key : keys) {
      List<FileState> states = past(key).states;
      int index = random.nextInt(past(key).durable, states.size());
      put(place.resolve(root.relativize(fileOf(key))), states, index);
    }
    breakLogs(place.resolve(root.relativize(logFolder())));
    return new PowerLossDisk(place, random, keys);
  }

  private void breakLogs(Path folder) throws IOException {
    Set<String> present = logs();
    for (String log : durableLogs) {
      if (!present.contains(log) && random.nextBoolean()) {
        Files.createDirectories(folder);
        Files.copy(shadows.resolve(log), folder.resolve(log));
      }
    }
    for (String log : present) {
      if (!durableLogs.contains(log) && random.nextBoolean()) {
        Files.delete(folder.resolve(log));
      }
    }
  }

  /** The files that have been written again since they were replaced, or are about to be. */
  private Set<Object> usedAgain() throws IOException {
    Set<Object> inodes = new HashSet<>();
    keys.forEach(key -> past(key).last().inode().ifPresent(inodes::add));
    Path spares = root.resolve(".tidemark/spare");
    if (Files.exists(spares)) {
      try (Stream<Path> files = Files.list(spares)) {
        files.forEach(file -> state(file).inode().ifPresent(inodes::add));
      }
    }
    return inodes;
  }

  private void put(Path file, List<FileState> history, int index) throws IOException {
    FileState fileState = history.get(index);
    if (fileState.text().isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    boolean usedAgain =
        index < history.size() - 1 && fileState.inode().filter(usedAgain()::contains).isPresent();
    boolean certain = contents.contains(fileState) && !usedAgain;
    Files.createDirectories(ObjectFiles.directoryOf(file));
    Files.writeString(file, certain ? fileState.text().get() : torn(fileState.text().get()));
    Files.setLastModifiedTime(file, FileTime.from(fileState.stamp(), TimeUnit.MICROSECONDS));
  }

  private String torn(String text) {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> text.substring(0, random.nextInt(text.length() + 1));
      case 2 -> "\0".repeat(text.length());
      case 3 -> "x".repeat(text.length());
      default -> text;
    };
  }

  private void copyAll(Path place) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Files.copy(path, place.resolve(root.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private Path fileOf(String key) {
    return root.resolve(FileNames.fileOf(key));
  }

  private Path logFolder() {
    return root.resolve(".tidemark/log");
  }

  private Set<String> logs() throws IOException {
    Set<String> names = new HashSet<>();
    try (Stream<Path> entries = Files.list(logFolder())) {
      entries.map(path -> path.getFileName().toString()).forEach(names::add);
    } catch (NoSuchFileException e) {
      // There are none.
    }
    for (String name : names) {
      Path shadow = shadows.resolve(name);
      if (Files.notExists(shadow)) {
        Files.createLink(shadow, logFolder().resolve(name));
      }
    }
    return names;
  }

  private static FileState state(Path file) {
    try {
      Optional<FileVersion> version = ObjectFiles.versionOf(file);
      return version.isEmpty()
          ? FileState.ABSENT
          : new FileState(
              version.get().stampMicros(),
              Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1)),
              Optional.of(Files.getAttribute(file, "unix:ino")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
