// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.natives;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directory of native libraries that were unpacked from jars, shared by processes.
 *
 * <p>A library is named after the CRC-32 and the size that its jar states. Both are checked each
 * time a process asks for it, so a damaged file is replaced. A file appears in one step, so a
 * killed process leaves a part at most, which a later one deletes. The library runs with the rights
 * of the user, and a CRC is easily forged; so a file that another user can write or replace is not
 * used. That goes for each directory above it, too, and is judged without symbolic links.
 */
public final class LibraryCache {

  private static final Logger LOG = LoggerFactory.getLogger(LibraryCache.class);

  /** Belongs to the user that this process runs as. */
  private static final Path SELF = Path.of("/proc/self");

  private static final String UNPACK = "unpack-";
  private static final String PART = ".part";
  private static final Duration ABANDONED = Duration.ofHours(1);
  private static final Duration UNUSED = Duration.ofDays(30);
  private static final Duration NOTED = Duration.ofDays(1);
  private static final int BUFFER = 1 << 18;
  private static final int OTHERS_WRITE = 0b010_010;

  /** In a directory with this bit, users can't rename or delete files of other users. */
  private static final int STICKY = 0b1_000_000_000;

  private final Path directory;

  /** Creates a cache in a directory, which is made when it is needed. */
  public LibraryCache(Path directory) {
    this.directory = directory;
  }

  /** The content that a jar states for a library. */
  private record Content(long crc, long size) {

    static Optional<Content> of(URLConnection connection) throws IOException {
      if (!(connection instanceof JarURLConnection jar)) {
        return Optional.empty();
      }
      JarEntry entry = jar.getJarEntry();
      return entry.getCrc() < 0 || entry.getSize() < 0
          ? Optional.empty()
          : Optional.of(new Content(entry.getCrc(), entry.getSize()));
    }

    String suffix() {
      return String.format(Locale.ROOT, "-%08x-%d.so", crc, size);
    }
  }

  /**
   * Returns the file of a library, unpacked before if it isn't there; empty if the directory can't
   * be used.
   *
   * @param name how its files are called
   * @param packed the library in a jar
   */
  public Optional<Path> file(String name, URL packed) {
    try {
      URLConnection connection = packed.openConnection();
      Optional<Content> content = Content.of(connection);
      return content.isEmpty() ? Optional.empty() : file(name, content.get(), connection);
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} can't be kept in {}", packed, directory, e);
      return Optional.empty();
    }
  }

  private Optional<Path> file(String name, Content content, URLConnection packed)
      throws IOException {
    Path real = CacheDirectory.make(directory).toRealPath();
    restrictPermissions(real);
    if (directory.getParent() != null && directory.startsWith(CacheDirectory.standard())) {
      restrictPermissions(directory.getParent());
    }
    for (Path path = real; path != null; path = path.getParent()) {
      if (!isPrivate(path, path.equals(real) ? 0 : STICKY)) {
        LOG.info(
            "{} isn't used for libraries, since other users can write to {}; to have them kept,"
                + " chmod go-w that directory",
            directory,
            path);
        return Optional.empty();
      }
    }
    Path file = real.resolve(name + content.suffix());
    if (!isSound(file, content)) {
      unpack(packed, content, file);
      sweep(file, name);
    }
    recordUse(file);
    return Optional.of(file);
  }

  /** Removes the rights of other users, as a umask may give them, from a directory of this user. */
  private static void restrictPermissions(Path made) throws IOException {
    if (hasUnixRights(made) && owner(made) == owner(SELF) && (mode(made) & OTHERS_WRITE) != 0) {
      Files.setPosixFilePermissions(made, CacheDirectory.OWNER_ONLY);
    }
  }

  private static boolean isSound(Path file, Content content) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.size(file) != content.size()
        || !isPrivate(file, 0)) {
      return false;
    }
    CRC32 crc = new CRC32();
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    try (FileChannel channel = FileChannel.open(file)) {
      while (channel.read(buffer) >= 0) {
        crc.update(buffer.flip());
        buffer.clear();
      }
    }
    return crc.getValue() == content.crc();
  }

  /**
   * Returns whether only this user, or root, can change a file. Systems without such rights aren't
   * asked.
   *
   * @param excuse a bit of the mode that makes up for other users' right to write
   */
  private static boolean isPrivate(Path file, int excuse) throws IOException {
    if (!hasUnixRights(file)) {
      return true;
    }
    int owner = owner(file);
    int mode = mode(file);
    boolean trusted = owner == 0 || owner == owner(SELF);
    return trusted && ((mode & OTHERS_WRITE) == 0 || (mode & excuse) != 0);
  }

  private static boolean hasUnixRights(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        && Files.exists(SELF);
  }

  private static int owner(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid");
  }

  private static int mode(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:mode");
  }

  private static void unpack(URLConnection packed, Content content, Path file) throws IOException {
    Path part = Files.createTempFile(file.getParent(), UNPACK, PART);
    try {
      CRC32 crc = new CRC32();
      try (InputStream in = new CheckedInputStream(packed.getInputStream(), crc);
          OutputStream out = Files.newOutputStream(part)) {
        in.transferTo(out);
      }
      if (crc.getValue() != content.crc() || Files.size(part) != content.size()) {
        throw new IOException("the library in the jar isn't what the jar states");
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Notes at most daily that a library is in use. A directory that is read-only can't note it. */
  private static void recordUse(Path file) {
    Instant now = Instant.now();
    try {
      if (Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(NOTED))) {
        Files.setLastModifiedTime(file, FileTime.from(now));
      }
    } catch (IOException e) {
      LOG.debug("the use of {} isn't noted", file, e);
    }
  }

  /** Deletes parts of killed processes, and libraries of other versions that are out of use. */
  private static void sweep(Path kept, String name) {
    Instant now = Instant.now();
    try (Stream<Path> files = Files.list(kept.getParent())) {
      for (Path file : files.filter(each -> !each.equals(kept)).toList()) {
        Optional<Duration> limit = limit(file.getFileName().toString(), name);
        if (limit.isPresent() && isOlder(file, now.minus(limit.get()))) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      LOG.debug("{} isn't swept", kept.getParent(), e);
    }
  }

  /**
   * Returns how old a file of this cache may become; empty for one that isn't named as its files
   * are.
   */
  private static Optional<Duration> limit(String file, String name) {
    if (file.startsWith(UNPACK) && file.endsWith(PART)) {
      return Optional.of(ABANDONED);
    }
    boolean library = file.matches(Pattern.quote(name) + "-[0-9a-f]{8}-[0-9]+\\.so");
    return library ? Optional.of(UNUSED) : Optional.empty();
  }

  private static boolean isOlder(Path file, Instant limit) throws IOException {
    BasicFileAttributes found =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return found.isRegularFile() && found.lastModifiedTime().toInstant().isBefore(limit);
  }
}
