// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.natives;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Native library of DuckDB's driver, loaded from a {@link LibraryCache}.
 *
 * <p>The driver unpacks its library of 71 MB in every process that uses it, into the directory for
 * temporary files, where it stays if the process is killed. It has no setting for another place as
 * long as its jar has the library. So the class of the driver that loads the library is defined
 * here before the driver asks for it, with its one call of {@code unpackAndLoad} led to this class.
 * If that can't be done, because the driver is another version or in use already, it loads its
 * library as it always does.
 */
public final class DuckDbLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(DuckDbLibrary.class);

  private static final String DRIVER = "org.duckdb.DuckDBDriver";
  private static final String LOADER = "org/duckdb/DuckDBNative";
  private static final String METHOD = "unpackAndLoad";

  private static Optional<Path> cache = Optional.empty();
  private static boolean prepared;

  private DuckDbLibrary() {}

  /**
   * Names the cache that the driver will load its library from. Only the first call in a process
   * has an effect; without one it is the user's own.
   *
   * @param directory the cache directory of Tidemark
   */
  public static synchronized void useCache(Path directory) {
    if (cache.isEmpty()) {
      cache = Optional.of(directory);
    }
  }

  /** Prepares the driver. To be called before each use of a class of the driver. */
  public static synchronized void prepare() {
    if (prepared) {
      return;
    }
    prepared = true;
    try {
      redirect();
    } catch (IOException | ReflectiveOperationException | LinkageError | RuntimeException e) {
      LOG.debug("DuckDB's driver unpacks its library by itself", e);
    }
  }

  private static synchronized LibraryCache cache() {
    return new LibraryCache(cache.orElseGet(CacheDirectory::standard).resolve("native"));
  }

  private static void redirect() throws IOException, ReflectiveOperationException {
    ClassLoader own = DuckDbLibrary.class.getClassLoader();
    Class<?> driver = Class.forName(DRIVER, false, own);
    if (driver.getClassLoader() != own) { // it couldn't call its own library through this class
      return;
    }
    try (InputStream in = driver.getResourceAsStream("/" + LOADER + ".class")) {
      if (in != null) {
        String target = DuckDbLibrary.class.getName().replace('.', '/');
        byte[] redirected = new ClassFile(in.readAllBytes()).redirected(LOADER, METHOD, target);
        MethodHandles.privateLookupIn(driver, MethodHandles.lookup()).defineClass(redirected);
      }
    }
  }

  /** Called by the driver in place of its own method. */
  public static void unpackAndLoad(URL packed) throws IOException {
    Optional<Path> file = cache().file("duckdb_java", packed);
    if (file.isEmpty() || !isLoaded(file.get())) {
      loadTemporary(packed);
    }
  }

  /** A file system may forbid to run what is on it. */
  private static boolean isLoaded(Path file) {
    try {
      System.load(file.toString());
      return true;
    } catch (UnsatisfiedLinkError e) {
      LOG.info("{} can't be loaded; the library is unpacked to another place", file, e);
      return false;
    }
  }

  /** Once it is loaded it needs no name, except on Windows. */
  private static void loadTemporary(URL packed) throws IOException {
    Path file = Files.createTempFile("libduckdb_java", ".so");
    try {
      try (InputStream in = packed.openStream();
          OutputStream out = Files.newOutputStream(file)) {
        in.transferTo(out);
      }
      System.load(file.toAbsolutePath().toString());
    } finally {
      if (System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows")) {
        file.toFile().deleteOnExit();
      } else {
        Files.deleteIfExists(file);
      }
    }
  }
}
