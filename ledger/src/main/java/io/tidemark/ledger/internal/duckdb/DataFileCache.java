// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.parquet.CorruptFileException;
import io.tidemark.ledger.internal.parquet.FileColumns;
import io.tidemark.ledger.internal.parquet.RowReader;
import io.tidemark.ledger.internal.parquet.RowWriter;
import io.tidemark.ledger.internal.parquet.VersionRange;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.store.FileFetcher;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.internal.hash.Sha256;
import io.tidemark.objects.internal.threads.Parallel;
import io.tidemark.objects.natives.CacheDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Cache of local copies of a ledger's data files, for a reader that takes paths. Files never
 * change, so a copy is valid for ever. Its name is its hash, which is checked when it is fetched
 * and when this process first uses it.
 *
 * <p>Processes may share the directory: a file appears in one step. It is kept below a size, see
 * {@link CacheEvictor}, so a copy may be gone when it is read; then it is requested again. Several
 * files are fetched at the same time. Safe for use by several threads.
 */
public final class DataFileCache {

  static final String PART = ".part";

  private final LedgerObjects objects;
  private final FileFetcher fetch;
  private final Path directory;
  private final CacheEvictor limit;
  private final Set<String> sound = ConcurrentHashMap.newKeySet();
  private final Map<ColumnsKey, FileColumns> columns = new ConcurrentHashMap<>();
  private final Map<Path, Optional<VersionRange>> ranges = new ConcurrentHashMap<>();
  private final Parallel parallel = new Parallel();
  private final Map<Path, Instant> said = new ConcurrentHashMap<>();
  private final AtomicLong added = new AtomicLong();
  private volatile boolean swept;

  /**
   * Creates the cache in a directory.
   *
   * @param bytes maximum size of the directory
   */
  public DataFileCache(LedgerObjects objects, Path directory, long bytes) {
    this(objects, new CacheEvictor(directory, bytes, Clock.systemUTC()));
  }

  DataFileCache(LedgerObjects objects, CacheEvictor limit) {
    this.objects = objects;
    this.fetch = new FileFetcher(objects);
    this.directory = limit.directory();
    this.limit = limit;
  }

  private record ColumnsKey(Path file, TypeId type, long version) {}

  /** Copy of a file, with its origin: the cache or a fetch. */
  public record CachedFile(Path path, long bytes, Origin origin) {}

  /** Origin of a copy. */
  public enum Origin {
    KEPT,
    FETCHED
  }

  /**
   * Returns copies of files, in their order.
   *
   * @throws io.tidemark.ledger.store.CorruptLedgerException when a file is missing, or differs from
   *     what its commit wrote
   */
  public List<CachedFile> get(List<Source> sources) {
    Map<Source, CachedFile> fresh = new ConcurrentHashMap<>();
    List<Runnable> tasks = new ArrayList<>();
    for (Source source : sources) {
      if (!sound.contains(name(source)) || !Files.exists(path(source))) {
        tasks.add(() -> fresh.put(source, get(source)));
      }
    }
    if (!tasks.isEmpty()) {
      parallel.run(tasks);
    }
    List<CachedFile> all = new ArrayList<>();
    for (Source source : sources) {
      CachedFile fetched = fresh.get(source);
      all.add(fetched == null ? get(source) : fetched);
    }
    evictIfDue(all);
    return all;
  }

  /** Returns copies of files, with every row in the fields of a version of its type. */
  public List<CachedFile> all(TypeView type, List<Source> sources) {
    return get(type, sources, source -> true);
  }

  /**
   * Returns copies of files, with every row in the fields of a version of its type. A file that has
   * rows of other versions is rewritten with these in the fields of this one, and kept like the
   * copies.
   *
   * @param isShown whether rows of a file may be in the answer; other files are copied unchanged
   */
  List<CachedFile> get(TypeView type, List<Source> sources, Predicate<Source> isShown) {
    List<CachedFile> copies = get(sources);
    if (type.others().isEmpty()) {
      return copies;
    }
    Map<Integer, CachedFile> shown = new ConcurrentHashMap<>();
    List<Runnable> tasks = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      int each = i;
      if (isShown.test(sources.get(i)) && hasOthers(type, copies.get(i).path())) {
        tasks.add(() -> shown.put(each, projected(type, sources.get(each), copies.get(each))));
      }
    }
    if (tasks.isEmpty()) {
      return copies;
    }
    parallel.run(tasks);
    List<CachedFile> all = new ArrayList<>(copies);
    shown.forEach(all::set);
    evictIfDue(all);
    return all;
  }

  private boolean hasOthers(TypeView type, Path file) {
    return ranges
        .computeIfAbsent(file, VersionRange::of)
        .map(range -> !type.others().subMap(range.lowest(), range.highest() + 1).isEmpty())
        .orElse(true);
  }

  private CachedFile projected(TypeView type, Source source, CachedFile copy) {
    Path path = directory.resolve(name(source) + "-" + type.tag() + ".parquet");
    try {
      if (Files.exists(path)) {
        touch(path);
        return new CachedFile(path, Files.size(path), copy.origin());
      }
      Path part = Files.createTempFile(directory, "shown-", PART);
      try {
        write(type, source, copy, part);
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
      return new CachedFile(path, added(path), copy.origin());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "can't keep the rows of " + source.path() + " in " + directory + "; look at its disk", e);
    }
  }

  private void write(TypeView type, Source source, CachedFile copy, Path part) {
    try (RowReader rows = RowReader.open(type.id().kind(), copy.path());
        RowWriter writer = RowWriter.toFile(type.schema(), part)) {
      rows.forEachRemaining(row -> writer.add(type.project(row)));
      writer.finish();
    } catch (CorruptFileException e) {
      throw objects.corrupt(source.path(), String.valueOf(e.getMessage()));
    }
  }

  /** Counts a new file in the directory, and returns its size. */
  private long added(Path path) throws IOException {
    long size = Files.size(path);
    added.addAndGet(size);
    return size;
  }

  /** Sweeps the directory only when it may have grown by a good part of its limit. */
  private void evictIfDue(Collection<CachedFile> needed) {
    if (added.get() <= (swept ? limit.bytes() / 16 : 0)) {
      return;
    }
    swept = true;
    added.set(0);
    try {
      for (CachedFile copy : needed) {
        limit.touch(copy.path()); // converting the other files may have taken long
      }
      limit.evict();
    } catch (IOException e) {
      throw new UncheckedIOException("can't look at " + directory + "; look at its disk", e);
    }
  }

  private Path path(Source source) {
    return directory.resolve(name(source) + ".parquet");
  }

  private void touch(Path path) throws IOException {
    Instant now = limit.clock().instant();
    Instant before = said.get(path);
    if (before == null || before.plus(CacheEvictor.SAYING).isBefore(now)) {
      said.put(path, now);
      limit.touch(path);
    }
  }

  private CachedFile get(Source source) {
    String name = name(source);
    Path path = path(source);
    try {
      Optional<CachedFile> kept = findCached(source, name, path);
      if (kept.isPresent()) {
        return kept.get();
      }
      fetch(source, path);
      sound.add(name);
      return new CachedFile(path, added(path), Origin.FETCHED);
    } catch (ClosedByInterruptException e) {
      throw new StoreUnavailableException(
          "keeping " + source.path() + " was interrupted; ask again", e);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "can't keep " + source.path() + " in " + directory + "; look at the disk it is on", e);
    }
  }

  /**
   * Returns the present copy, or empty if there is none, or another process has just deleted it.
   */
  private Optional<CachedFile> findCached(Source source, String name, Path path)
      throws IOException {
    try {
      if (isVerified(source, name, path)) {
        touch(path);
        return Optional.of(new CachedFile(path, Files.size(path), Origin.KEPT));
      }
      return Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the kind of a copy's columns: those that rows of the type are written with here, or
   * others.
   */
  FileColumns columns(TypeView type, Path file) {
    return columns.computeIfAbsent(
        new ColumnsKey(file, type.id(), type.versionId()),
        key -> FileColumns.of(type.schema(), file));
  }

  /** Returns the hash of the content, or for a file with an unknown hash that of its location. */
  private String name(Source source) {
    return source
        .sha256()
        .filter(hash -> hash.matches("[0-9a-f]{64}"))
        .orElseGet(
            () -> {
              String place = objects.location() + "\n" + source.path();
              return "p" + Sha256.hex(place);
            });
  }

  private boolean isVerified(Source source, String name, Path path) throws IOException {
    if (!Files.exists(path)) {
      return false;
    }
    if (sound.contains(name) || source.sha256().isEmpty()) {
      return true;
    }
    Sha256 hash = new Sha256();
    try (InputStream in = hash.reading(Files.newInputStream(path))) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    boolean equal = hash.hex().equals(source.sha256().get());
    if (equal) {
      sound.add(name);
    }
    return equal;
  }

  private void fetch(Source source, Path path) throws IOException {
    CacheDirectory.make(directory);
    Path copy = Files.createTempFile(directory, "fetch-", PART);
    try {
      fetch.download(source, copy);
      Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(copy);
    }
  }
}
