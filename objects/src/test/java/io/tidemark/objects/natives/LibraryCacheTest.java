// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryCacheTest {

  private static final byte[] CONTENT =
      "machine code ".repeat(10_000).getBytes(StandardCharsets.UTF_8);

  @TempDir private Path directory;
  private Path kept;
  private LibraryCache cache;

  @BeforeEach
  void make() {
    kept = directory.resolve("cache/native");
    cache = new LibraryCache(kept);
  }

  private URL packed(String jar) throws IOException {
    Path file = directory.resolve(jar);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("lib.so"));
      zip.write(CONTENT);
    }
    return URI.create("jar:" + file.toUri() + "!/lib.so").toURL();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(kept)) {
      return files.toList();
    }
  }

  @Test
  void aLibraryIsUnpackedOnce() throws IOException {
    URL packed = packed("a.jar");
    Path file = cache.file("lib", packed).orElseThrow();
    assertThat(Files.readAllBytes(file)).isEqualTo(CONTENT);
    Object first = Files.getAttribute(file, "unix:ino");

    assertThat(new LibraryCache(kept).file("lib", packed)).contains(file);
    assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(first);
    assertThat(files()).containsExactly(file);
  }

  @Test
  void aDamagedLibraryIsReplaced() throws IOException {
    URL packed = packed("a.jar");
    Path file = cache.file("lib", packed).orElseThrow();
    byte[] flipped = CONTENT.clone();
    flipped[777] ^= 1;
    for (byte[] damaged : List.of(flipped, new byte[0], new byte[CONTENT.length])) {
      Files.write(file, damaged);
      assertThat(cache.file("lib", packed)).contains(file);
      assertThat(Files.readAllBytes(file)).isEqualTo(CONTENT);
    }
  }

  @Test
  void manyMayUnpackAtTheSameTime() throws Exception {
    URL packed = packed("a.jar");
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Future<Optional<Path>>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(pool.submit(() -> new LibraryCache(kept).file("lib", packed)));
      }
      for (Future<Optional<Path>> each : all) {
        assertThat(Files.readAllBytes(each.get().orElseThrow())).isEqualTo(CONTENT);
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(files()).hasSize(1);
  }

  @Test
  void partsOfTheKilledAndOldVersionsAreDeletedWhenALibraryIsUnpacked() throws IOException {
    Files.createDirectories(kept);
    Instant now = Instant.now();
    Instant longAgo = now.minus(Duration.ofDays(400));
    Path killed = aged("unpack-1.part", now.minus(Duration.ofHours(2)));
    Path old = aged("lib-0123abcd-71.so", now.minus(Duration.ofDays(31)));
    Path underway = aged("unpack-2.part", now);
    Path used = aged("lib-4567abcd-71.so", now.minus(Duration.ofDays(29)));
    List<Path> foreign = new ArrayList<>();
    for (String name :
        List.of("thesis.odt", "a.part", "lib-1-1.so", "lib.so", "other-0123abcd-71.so")) {
      foreign.add(aged(name, longAgo));
    }
    foreign.add(Files.createDirectory(kept.resolve("lib-89abcdef-71.so")));
    Files.setLastModifiedTime(foreign.get(foreign.size() - 1), FileTime.from(longAgo));

    Path file = cache.file("lib", packed("a.jar")).orElseThrow();

    foreign.addAll(List.of(underway, used, file));
    assertThat(files()).containsExactlyInAnyOrderElementsOf(foreign);
    assertThat(killed).doesNotExist();
    assertThat(old).doesNotExist();
  }

  private Path aged(String name, Instant time) throws IOException {
    Path file = Files.createFile(kept.resolve(name));
    return Files.setLastModifiedTime(file, FileTime.from(time));
  }

  @Test
  void aPlaceThatCannotBeADirectoryIsNotUsed() throws IOException {
    Files.createFile(directory.resolve("cache"));
    assertThat(cache.file("lib", packed("a.jar"))).isEmpty();
  }

  @Test
  void whatOtherUsersCanChangeIsNotLoaded() throws IOException {
    assumeThat(Path.of("/proc/self")).exists();
    URL packed = packed("a.jar");
    Path file = cache.file("lib", packed).orElseThrow();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrw-rw-"));
    Object open = Files.getAttribute(file, "unix:ino");
    assertThat(cache.file("lib", packed)).contains(file);
    assertThat(Files.getAttribute(file, "unix:ino")).as("another file").isNotEqualTo(open);
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void chmod(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  @Test
  void directoriesAreMadeForTheUserAlone() throws IOException {
    assertThat(cache.file("lib", packed("a.jar"))).isPresent();
    assertThat(rights(kept)).isEqualTo("rwx------");
    assertThat(rights(directory.resolve("cache"))).isEqualTo("rwx------");
  }

  @Test
  void aDirectoryThatAUmaskHasLeftOpenIsTightened() throws IOException {
    Files.createDirectories(kept);
    for (String open : List.of("rwxrwxr-x", "rwxrwxrwx")) {
      chmod(kept, open);
      assertThat(cache.file("lib", packed("a.jar"))).isPresent();
      assertThat(rights(kept)).isEqualTo("rwx------");
    }
  }

  @Test
  void aDirectoryBelowOneThatOthersCanWriteToIsNotUsed() throws IOException {
    assumeThat(Path.of("/proc/self")).exists();
    URL packed = packed("a.jar");
    Path above = Files.createDirectories(directory.resolve("above"));
    Files.createDirectories(above.resolve("below"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), above.resolve("below"));
    LibraryCache below = new LibraryCache(above.resolve("below/native"));
    LibraryCache linked = new LibraryCache(link.resolve("native"));
    for (String open : List.of("rwxrwxr-x", "rwxr-xrwx")) {
      chmod(above, open);
      assertThat(below.file("lib", packed)).isEmpty();
      assertThat(linked.file("lib", packed)).isEmpty();
    }
    Files.setAttribute(above, "unix:mode", 01777);
    assertThat(below.file("lib", packed)).isPresent();
    assertThat(linked.file("lib", packed))
        .as("the file has no symbolic link in its path")
        .isEqualTo(below.file("lib", packed));
  }

  @Test
  void whatIsInNoJarIsNotKept() throws IOException {
    Path plain = Files.write(directory.resolve("lib.so"), CONTENT);
    assertThat(cache.file("lib", plain.toUri().toURL())).isEmpty();
  }
}
