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
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.WriteResult;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Backend that keeps objects as files of a directory, safe between threads and between processes.
 *
 * <p><b>A write</b> is made with the key locked (see {@link WriteCoordinator}): the condition is
 * checked, the write becomes durable in the log that the threads of a process share (see {@link
 * WriteLog}), and a file with the new bytes is renamed into place. So a reader sees the old object
 * or the new one, whole and durable. A writer that is killed leaves a file that no process reads
 * and the next writer sweeps.
 *
 * <p>Large bodies and the first writes of a process do without the log: the file is synced before
 * the key is locked, and its directory after. A reader may see such a write a moment before it is
 * durable, but nothing it then writes itself can become durable without it, since file systems sync
 * in order.
 *
 * <p><b>A version</b> is told by the file's modification time in microseconds and its length. The
 * writer sets that time, strictly later than the version before, and than all that its process has
 * set here, even when the clock jumps back. So an ETag doesn't come twice, be it that the object
 * was deleted in between, and a condition costs no reading of content.
 *
 * <p><b>Readers take no lock.</b> The version is looked up before the file is opened and again
 * after; when the two agree, it is that of the open file. A small file may be written again some
 * time after it was replaced (see {@link RecycledFiles}), so it is read to its end before the
 * second look.
 *
 * <p><b>A directory that was there and is gone</b> isn't an empty store, and one that was replaced
 * isn't the store that was opened: see {@link StorePresence}.
 *
 * <p>Programs that write here by other means are not kept from it by the locks, but what they write
 * is a new version like any other, as long as they replace files and don't write into them.
 */
public final class DirectoryBackend implements ObjectBackend {

  /** A reader that was overtaken so often takes the lock, so that it comes to an end. */
  private static final int OPTIMISTIC_READS = 50;

  private final Path root;
  private final Durability durability;
  private final Clock clock;
  private final HostOps hostOps;
  private final ObjectFiles files;
  private final StorePresence presence;
  private final DirectoryEntryReader directoryEntryReader =
      new DirectoryEntryReader(() -> coordinator().lockAll());
  private final EmptyListingCache emptyListingCache = new EmptyListingCache();
  private final Object roomLock = new Object();
  private Optional<WriteCoordinator> room = Optional.empty();
  private volatile boolean recovered;
  private boolean closed;

  private DirectoryBackend(
      Path root, Path top, Durability durability, Clock clock, HostOps hostOps) {
    this.root = root;
    this.durability = durability;
    this.clock = clock;
    this.hostOps = hostOps;
    this.files = new ObjectFiles(root, new DirectorySync(root, top, hostOps));
    this.presence = new StorePresence(root);
  }

  /** Opens a directory, which is made by the first write when it isn't there. */
  public static DirectoryBackend open(Path root, Durability durability) {
    return open(root, durability, Clock.systemUTC());
  }

  /** Opens a directory with a clock of the caller's, from which the times of versions are taken. */
  public static DirectoryBackend open(Path root, Durability durability, Clock clock) {
    return open(root, durability, clock, LocalHostOps.INSTANCE);
  }

  static DirectoryBackend open(Path root, Durability durability, Clock clock, HostOps hostOps) {
    Path absolute = root.toAbsolutePath().normalize();
    // At least the root's parent: the process that made the root may have died before it was
    // durable.
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
    return new DirectoryBackend(absolute, top, durability, clock, hostOps);
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    try {
      recover();
      Path file = files.of(key);
      for (int i = 0; i < OPTIMISTIC_READS; i++) {
        Optional<ReadResult<Content>> result = tryGet(file, known);
        if (result.isPresent()) {
          return result.get();
        }
      }
      try (WriteCoordinator.KeyLock keyLock = coordinator().lock(key)) {
        presence.requireNotGone();
        return tryGet(file, known)
            .orElseThrow(() -> new IOException("the file changes although it is locked"));
      }
    } catch (IOException e) {
      throw failure(e, "reading " + key);
    }
  }

  /** Empty when the file was replaced in between. */
  private Optional<ReadResult<Content>> tryGet(Path file, Optional<ETag> known) throws IOException {
    Optional<FileVersion> version = find(file);
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
      if (ObjectFiles.versionOf(file).equals(version)) {
        throw e; // it is there, so it may not be read
      }
      return Optional.empty();
    }
    if (version.get().size() <= hostOps.limits().body()) {
      stream = buffered(stream);
    }
    if (!ObjectFiles.versionOf(file).equals(version)) {
      stream.close();
      return Optional.empty();
    }
    return Optional.of(new ReadResult.Found<>(etag, new Content(version.get().size(), stream)));
  }

  /** Empty when there is no such file in a directory that isn't gone. */
  private Optional<FileVersion> find(Path file) throws IOException {
    Optional<FileVersion> version = ObjectFiles.versionOf(file);
    if (version.isEmpty() || !presence.isSeen()) {
      presence.requireNotGone();
    }
    return version;
  }

  /**
   * The file may be used again once it is replaced (see {@link RecycledFiles}), so all is read
   * before that.
   */
  private static InputStream buffered(InputStream stream) throws IOException {
    try (stream) {
      return new ByteArrayInputStream(stream.readAllBytes());
    }
  }

  @Override
  public Optional<Head> head(String key) {
    try {
      recover();
      return find(files.of(key))
          .map(v -> new Head(v.etag(), v.size(), v.lastModified(), Optional.empty()));
    } catch (IOException e) {
      throw failure(e, "looking up " + key);
    }
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    try {
      presence.requireNotGone(); // else the write would make the directory anew
      Optional<WriteResult> logged = log(key, body, condition);
      return logged.isPresent() ? logged.get() : write(key, body, condition);
    } catch (WriteLog.InDoubtException e) {
      throw inDoubt("the write to " + key, e);
    } catch (IOException e) {
      throw failure(e, "writing " + key);
    }
  }

  /** Empty when the write is not one for the log. */
  private Optional<WriteResult> log(String key, Body body, Condition condition) throws IOException {
    if (durability == Durability.PAGE_CACHE
        || body.length() > hostOps.limits().body()
        || !coordinator().logProvider().shouldLog()) {
      return Optional.empty();
    }
    byte[] bytes;
    try (InputStream in = body.open()) {
      bytes = in.readAllBytes();
    }
    requireLength(bytes.length, body);
    return logged().put(key, bytes, condition, now());
  }

  private LoggedWrites logged() throws IOException {
    return new LoggedWrites(coordinator(), files, presence, hostOps.limits().body());
  }

  private WriteResult write(String key, Body body, Condition condition) throws IOException {
    FileVersion fileVersion = new FileVersion(coordinator().newStamp(now()), body.length());
    Path temporary = coordinator().newTemporaryFile();
    Path file;
    boolean moved = false;
    try {
      writeTemporary(temporary, body, fileVersion);
      try (WriteCoordinator.KeyLock keyLock = coordinator().lock(key)) {
        presence.requireNotGone();
        file = files.of(key);
        Optional<FileVersion> current = ObjectFiles.versionOf(file);
        if (!condition.holds(current.map(FileVersion::etag))) {
          return new WriteResult.PreconditionFailed(current.map(FileVersion::etag));
        }
        if (current.isPresent() && current.get().stampMicros() >= fileVersion.stampMicros()) {
          fileVersion =
              new FileVersion(
                  coordinator().newStamp(current.get().stampMicros() + 1), body.length());
          stamp(temporary, fileVersion); // the clock has gone back since
        }
        files.moveIntoPlace(temporary, file);
        moved = true;
      }
    } finally {
      if (!moved) {
        Files.deleteIfExists(temporary);
      }
    }
    makeDurable(List.of(file), "the write to " + key);
    return new WriteResult.Written(fileVersion.etag());
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    List<Path> places;
    boolean found;
    boolean logged;
    try {
      presence.requireNotGone();
      try (WriteCoordinator.KeyLock keyLock = coordinator().lock(key)) {
        presence.requireNotGone();
        places = files.candidateFilesOf(key);
        Optional<FileVersion> current = ObjectFiles.versionOf(places.get(0));
        Optional<ETag> etag = current.map(FileVersion::etag);
        if (expected.isPresent() && !expected.equals(etag)) {
          return new WriteResult.PreconditionFailed(etag);
        }
        found = current.isPresent();
        logged = found && remove(key, current.get());
      }
    } catch (WriteLog.InDoubtException e) {
      throw inDoubt("the delete of " + key, e);
    } catch (IOException e) {
      throw failure(e, "deleting " + key);
    }
    if (found) {
      files.removeEmptyParents(places.get(0));
    }
    if (!logged) {
      // Also when nothing was there: it may have been deleted just now and not durably yet, by
      // another or by an earlier try of ours whose sync failed.
      makeDurable(places, "the delete of " + key);
    }
    return DeleteResult.Deleted.DELETED;
  }

  /** Returns whether the log makes it durable. */
  private boolean remove(String key, FileVersion current) throws IOException {
    Optional<WriteLog> log =
        durability == Durability.SYNC
            ? coordinator().logProvider().logForDelete()
            : Optional.empty();
    if (log.isPresent()) {
      logged().delete(log.get(), key, current);
      return true;
    }
    files.remove(key);
    return false;
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    DirectoryWalk walk =
        new DirectoryWalk(root, listing, directoryEntryReader, emptyListingCache, this::find);
    return Stream.generate(() -> step(walk, listing))
        .takeWhile(Optional::isPresent)
        .map(Optional::orElseThrow);
  }

  private Optional<Listing.Entry> step(DirectoryWalk walk, Listing listing) {
    try {
      recover();
      Optional<Listing.Entry> next = walk.next();
      if (next.isEmpty() || !presence.isSeen()) {
        presence.requireNotGone();
      }
      return next;
    } catch (IOException e) {
      throw failure(e, "listing \"" + listing.prefix() + "\"");
    }
  }

  private Optional<Listing.Entry> find(String key) throws IOException {
    return ObjectFiles.versionOf(files.of(key))
        .map(v -> new ObjectInfo(key, v.etag(), v.size(), v.lastModified()))
        .map(Listing.Entry.Item::new);
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(root.toUri().toString(), true);
  }

  @Override
  public boolean exists() {
    try {
      return presence.exists();
    } catch (IOException e) {
      throw failure(e, "looking for the store");
    }
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
        throw failure(e, "closing the store");
      }
    }
  }

  /** Entered by the first write, so that a directory that is only read needn't be writable. */
  private WriteCoordinator coordinator() throws IOException {
    synchronized (roomLock) {
      if (closed) {
        throw new IOException("the store has been closed; open it again");
      }
      if (room.isEmpty()) {
        presence.requireNotGone(); // entering makes the directory
        WriteCoordinator entered = WriteCoordinator.open(root, hostOps);
        room = Optional.of(entered);
        presence.rememberLockFile(entered.lockFileKey());
        presence.requireNotGone(); // from now on it counts as seen
      }
      return room.get();
    }
  }

  /**
   * Files may be torn when the machine has lost power, until the logs are replayed. No thread may
   * read before.
   */
  private void recover() throws IOException {
    if (recovered) {
      return;
    }
    if (LogFolder.hasLogsOfAnotherBoot(root, hostOps)) {
      try {
        coordinator();
      } catch (IOException e) {
        throw new StoreAccessException(
            "the machine was restarted while "
                + root
                + " was being written, and what its write log says can't be replayed here ("
                + e
                + "); open it once as a user who may write there, and then again",
            e);
      }
    }
    recovered = true;
  }

  /** Translates an error; any failure in a directory that is gone is reported as that. */
  private TidemarkException failure(IOException e, String doing) {
    try {
      presence.requireNotGone();
    } catch (StoreGoneException gone) {
      gone.addSuppressed(e);
      return gone;
    } catch (IOException also) {
      e.addSuppressed(also);
    }
    return FileSystemErrorTranslator.of(e, doing, root);
  }

  private long now() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  private void writeTemporary(Path temporary, Body body, FileVersion fileVersion)
      throws IOException {
    // Not a channel: an interrupt would close it in the middle of a write.
    try (InputStream bytes = body.open();
        FileOutputStream out = new FileOutputStream(temporary.toFile())) {
      long written = bytes.transferTo(out);
      requireLength(written, body);
    }
    stamp(temporary, fileVersion);
  }

  /** Gives a temporary file the time of its version, and makes that and its content durable. */
  private void stamp(Path temporary, FileVersion fileVersion) throws IOException {
    Files.setLastModifiedTime(temporary, FileVersion.fileTime(fileVersion.stampMicros()));
    if (durability == Durability.SYNC) {
      hostOps.sync(temporary);
    }
  }

  private static void requireLength(long found, Body body) throws IOException {
    if (found != body.length()) {
      throw new IOException(found + " bytes came, " + body.length() + " were announced");
    }
  }

  private OutcomeUnknownException inDoubt(String what, IOException e) {
    return new OutcomeUnknownException(
        what
            + " in "
            + root
            + " was not carried out, but may be after a loss of power: "
            + e.getMessage()
            + "; check the disk",
        e);
  }

  private void makeDurable(List<Path> changed, String what) {
    if (durability == Durability.PAGE_CACHE) {
      return;
    }
    try {
      for (Path file : changed) {
        files.syncDirectoryOf(file);
      }
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
