// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.WriteResult;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps objects as files of a directory, safe between threads and between processes.
 *
 * <p><b>A write</b> goes to a temporary file first, which is synced. Then, with the key locked (see
 * {@link WriterRoom}), the condition is checked and the file renamed into place, and, with the key
 * free again, the directory is synced. So a reader sees the old object or the new one, whole; a
 * writer that is killed leaves a temporary file, which nobody reads and the next one sweeps; and an
 * acknowledged write is durable. A reader may see a write a moment before it is durable, but
 * nothing it then writes itself can become durable without it, since file systems sync in order.
 *
 * <p><b>A version</b> is told by the file's modification time in microseconds and its length. The
 * writer sets that time, strictly later than the version before, and than all that its process has
 * set here, even when the clock jumps back. So an ETag doesn't come twice, be it that the object
 * was deleted in between, and a condition costs no reading of content.
 *
 * <p><b>Readers take no lock.</b> A file that is opened stays what it was when another is renamed
 * over it; the version is looked up before and after the opening, and when the two agree, it is
 * that of the open file.
 *
 * <p>Programs that write here by other means are not kept from it by the locks, but what they write
 * is a new version like any other, as long as they replace files and don't write into them.
 */
public final class DirectoryBackend implements ObjectBackend {

  /** A reader that was overtaken so often takes the lock, so that it comes to an end. */
  private static final int OPTIMISTIC_READS = 50;

  /** Each repetition means that another has just deleted the last object of the directory. */
  private static final int MOVES = 1_000;

  private final Path root;
  private final Durability durability;
  private final Clock clock;
  private final DirectorySync directorySync;
  private final EntryNames entryNames = new EntryNames(() -> room().holdOff());
  private final Object roomLock = new Object();
  private Optional<WriterRoom> room = Optional.empty();
  private boolean closed;

  private DirectoryBackend(Path root, Path top, Durability durability, Clock clock) {
    this.root = root;
    this.durability = durability;
    this.clock = clock;
    this.directorySync = new DirectorySync(root, top);
  }

  /** Opens a directory, which is made by the first write when it isn't there. */
  public static DirectoryBackend open(Path root, Durability durability) {
    return open(root, durability, Clock.systemUTC());
  }

  /** Opens a directory with a clock of the caller's, from which the times of versions are taken. */
  public static DirectoryBackend open(Path root, Durability durability, Clock clock) {
    Path absolute = root.toAbsolutePath().normalize();
    // At least the root's parent: whoever made the root may have died before it was durable.
    Path top = Objects.requireNonNullElse(absolute.getParent(), absolute);
    for (Path path = absolute; path != null; path = path.getParent()) {
      if (Files.isDirectory(path)) {
        top = path.equals(absolute) ? top : path;
        break;
      }
      if (Files.exists(path)) {
        throw new InvalidLocationException(
            path + " is a file, so no store can be in " + absolute + "; name a directory");
      }
    }
    return new DirectoryBackend(absolute, top, durability, clock);
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    Path file = fileOf(key);
    try {
      for (int i = 0; i < OPTIMISTIC_READS; i++) {
        Optional<ReadResult<Content>> result = tryGet(file, known);
        if (result.isPresent()) {
          return result.get();
        }
      }
      try (WriterRoom.Held held = room().lock(key)) {
        return tryGet(file, known)
            .orElseThrow(() -> new IOException("the file changes although it is locked"));
      }
    } catch (IOException e) {
      throw Failures.of(e, "reading " + key, root);
    }
  }

  /** Empty when the file was replaced in between. */
  private Optional<ReadResult<Content>> tryGet(Path file, Optional<ETag> known) throws IOException {
    Optional<Version> version = versionOf(file);
    if (version.isEmpty()) {
      return Optional.of(new ReadResult.Absent<>());
    }
    ETag etag = version.get().etag();
    if (known.equals(Optional.of(etag))) {
      return Optional.of(new ReadResult.NotModified<>());
    }
    InputStream stream;
    try {
      // Not a channel: an interrupt would close it in the middle of a read.
      stream = new FileInputStream(file.toFile());
    } catch (FileNotFoundException e) {
      if (versionOf(file).equals(version)) {
        throw e; // it is there, so it may not be read
      }
      return Optional.empty();
    }
    if (!versionOf(file).equals(version)) {
      stream.close();
      return Optional.empty();
    }
    return Optional.of(new ReadResult.Found<>(etag, new Content(version.get().size(), stream)));
  }

  @Override
  public Optional<Head> head(String key) {
    try {
      return versionOf(fileOf(key))
          .map(v -> new Head(v.etag(), v.size(), v.lastModified(), Optional.empty()));
    } catch (IOException e) {
      throw Failures.of(e, "looking up " + key, root);
    }
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    Path file = fileOf(key);
    WriteResult result;
    try {
      result = write(key, file, body, condition);
    } catch (IOException e) {
      throw Failures.of(e, "writing " + key, root);
    }
    if (result.written()) {
      makeDurable(file, "the write to " + key);
    }
    return result;
  }

  private WriteResult write(String key, Path file, Body body, Condition condition)
      throws IOException {
    Version version = new Version(room().newStamp(now()), body.length());
    Path temporary = room().newTemporaryFile();
    boolean moved = false;
    try {
      writeTemporary(temporary, body, version);
      try (WriterRoom.Held held = room().lock(key)) {
        Optional<Version> current = versionOf(file);
        if (!condition.holds(current.map(Version::etag))) {
          return new WriteResult.PreconditionFailed(current.map(Version::etag));
        }
        if (current.isPresent() && current.get().stampMicros() >= version.stampMicros()) {
          version = new Version(room().newStamp(current.get().stampMicros() + 1), body.length());
          restamp(temporary, version);
        }
        moveIntoPlace(temporary, file);
        moved = true;
      }
      return new WriteResult.Written(version.etag());
    } finally {
      if (!moved) {
        Files.deleteIfExists(temporary);
      }
    }
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    Path file = fileOf(key);
    boolean deleted;
    try {
      try (WriterRoom.Held held = room().lock(key)) {
        Optional<ETag> current = versionOf(file).map(Version::etag);
        if (expected.isPresent() && !expected.equals(current)) {
          return new WriteResult.PreconditionFailed(current);
        }
        deleted = Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw Failures.of(e, "deleting " + key, root);
    }
    if (deleted) {
      removeEmptyParents(file);
    }
    // Also when nothing was there: it may have been deleted just now and not durably yet, by
    // another or by an earlier try of ours whose sync failed.
    makeDurable(file, "the delete of " + key);
    return DeleteResult.Deleted.DELETED;
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    DirectoryWalk walk = new DirectoryWalk(root, listing, entryNames, this::find);
    return Stream.generate(() -> step(walk, listing))
        .takeWhile(Optional::isPresent)
        .map(Optional::orElseThrow);
  }

  private Optional<Listing.Entry> step(DirectoryWalk walk, Listing listing) {
    try {
      return walk.next();
    } catch (IOException e) {
      throw Failures.of(e, "listing \"" + listing.prefix() + "\"", root);
    }
  }

  private Optional<Listing.Entry> find(String key) throws IOException {
    return versionOf(fileOf(key))
        .map(v -> new ObjectInfo(key, v.etag(), v.size(), v.lastModified()))
        .map(Listing.Entry.Item::new);
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(root.toUri().toString(), true);
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public void close() {
    synchronized (roomLock) {
      closed = true;
      try {
        if (room.isPresent()) {
          room.get().close();
          room = Optional.empty();
        }
      } catch (IOException e) {
        throw Failures.of(e, "closing the store", root);
      }
    }
  }

  private Path fileOf(String key) {
    return root.resolve(FileNames.fileOf(key));
  }

  private static Path directoryOf(Path file) {
    return Objects.requireNonNull(file.getParent(), "everything is below the root");
  }

  /** Entered by the first write, so that a directory that is only read needn't be writable. */
  private WriterRoom room() throws IOException {
    synchronized (roomLock) {
      if (closed) {
        throw new IOException("the store has been closed; open it again");
      }
      if (room.isEmpty()) {
        room = Optional.of(WriterRoom.enter(root));
      }
      return room.get();
    }
  }

  private long now() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  private static Optional<Version> versionOf(Path file) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      // A directory of that name is another program's; no key is stored as one.
      return attributes.isDirectory() ? Optional.empty() : Optional.of(Version.of(attributes));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private void writeTemporary(Path temporary, Body body, Version version) throws IOException {
    // Not a channel: an interrupt would close it in the middle of a write.
    try (InputStream bytes = body.open();
        FileOutputStream out = new FileOutputStream(temporary.toFile())) {
      long written = bytes.transferTo(out);
      if (written != body.length()) {
        throw new IOException(written + " bytes came, " + body.length() + " were announced");
      }
      stamp(temporary, version, out);
    }
  }

  /** Only when the clock has gone back since the version before was written. */
  private void restamp(Path temporary, Version version) throws IOException {
    try (FileOutputStream out = new FileOutputStream(temporary.toFile(), true)) {
      stamp(temporary, version, out);
    }
  }

  /** Gives a temporary file the time of its version, and makes that and its content durable. */
  private void stamp(Path temporary, Version version, FileOutputStream out) throws IOException {
    Files.setLastModifiedTime(temporary, Version.fileTime(version.stampMicros()));
    if (durability == Durability.SYNC) {
      out.getFD().sync();
    }
  }

  private void moveIntoPlace(Path temporary, Path file) throws IOException {
    for (int i = 0; ; i++) {
      try {
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        return;
      } catch (NoSuchFileException e) {
        if (i == MOVES || Files.notExists(temporary)) {
          throw e;
        }
        makeParents(file);
      }
    }
  }

  private void makeParents(Path file) throws IOException {
    try {
      Files.createDirectories(directoryOf(file));
    } catch (NoSuchFileException | FileAlreadyExistsException e) {
      // One of them was removed as empty just now (the second error: between being found and being
      // looked at), or a file is in the way; the move will tell.
    } finally {
      for (Path parent = directoryOf(file); !parent.equals(root); parent = directoryOf(parent)) {
        directorySync.forget(parent); // what was made anew, be it a part, is not durable yet
      }
    }
  }

  private void removeEmptyParents(Path file) {
    for (Path parent = directoryOf(file); !parent.equals(root); parent = directoryOf(parent)) {
      try {
        Files.delete(parent);
        directorySync.forget(parent);
      } catch (IOException e) {
        return; // not empty, or being removed by another: either way not ours to remove
      }
    }
  }

  private void makeDurable(Path file, String what) {
    if (durability == Durability.PAGE_CACHE) {
      return;
    }
    try {
      directorySync.sync(directoryOf(file));
    } catch (IOException e) {
      throw new OutcomeUnknownException(
          what
              + " in "
              + root
              + " can be seen but may not survive a loss of power: syncing its directory failed ("
              + e.getMessage()
              + "); check the disk",
          e);
    }
  }
}
