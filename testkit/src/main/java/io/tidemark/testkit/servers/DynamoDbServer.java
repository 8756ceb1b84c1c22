// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBServerHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.jspecify.annotations.Nullable;

/**
 * DynamoDB Local in this JVM, in memory, on the loopback interface.
 *
 * <p>Its own launcher listens on every interface and reports its use to its makers unless told not
 * to; so its handler is put on a server of ours instead, and the library that does the reporting is
 * left out. Its licence lets it be used for tests and not be passed on: no module may depend on it
 * but in test scope, save {@code bench/}, which is run only where it was built.
 *
 * <p>Otherwise than DynamoDB: a table is active as soon as it is created, throughput has no limit,
 * reads appear consistent, and all credentials and regions see the same tables.
 */
public final class DynamoDbServer implements AutoCloseable {

  private static final String NATIVE_LIBRARY_PATH = "sqlite4java.library.path";

  private final LocalDynamoDBServerHandler handler;
  private final Server jetty;

  private DynamoDbServer() {
    findNativeLibrary();
    try {
      handler = new LocalDynamoDBServerHandler(inMemory(), null);
      jetty = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      jetty.setHandler(new ContextHandler(handler));
      jetty.start();
    } catch (Exception e) {
      throw new IllegalStateException("the DynamoDB server of the tests doesn't start", e);
    }
  }

  private static LocalDynamoDBRequestHandler inMemory() {
    boolean inMemory = true;
    boolean sharedByAllCredentials = true;
    boolean tablesTakeTimeToBecomeActive = false;
    return new LocalDynamoDBRequestHandler(
        0, inMemory, null, sharedByAllCredentials, tablesTakeTimeToBecomeActive);
  }

  /** Starts a server that the caller closes. */
  public static DynamoDbServer start() {
    return new DynamoDbServer();
  }

  /** Where it listens. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + jetty.getURI().getPort());
  }

  /** The region to sign for. */
  public String region() {
    return "us-east-1";
  }

  /** It takes any credentials; these will do. */
  public String accessKey() {
    return "tidemarktest";
  }

  /** It takes any credentials; these will do. */
  public String secretKey() {
    return "not-a-secret";
  }

  /** A name for a table that no other test has; creating it is up to the test. */
  public String freshTableName() {
    return "test-" + UUID.randomUUID();
  }

  /** Stops it; what it held is gone. */
  @Override
  public void close() {
    try {
      jetty.stop();
      handler.close();
    } catch (Exception e) {
      throw new IllegalStateException("the DynamoDB server of the tests doesn't stop", e);
    }
  }

  /**
   * SQLite, on which it stands, comes as a native library that isn't on the class path. Without it
   * every request would hang, so say so instead.
   */
  private static void findNativeLibrary() {
    if (System.getProperty(NATIVE_LIBRARY_PATH) != null) {
      return;
    }
    Path directory = nativeLibraryDirectory();
    if (directory == null) {
      throw new IllegalStateException(
          "DynamoDB Local needs the native library of sqlite4java for "
              + System.getProperty("os.name")
              + " on "
              + System.getProperty("os.arch")
              + "; name the directory that holds it with -D"
              + NATIVE_LIBRARY_PATH);
    }
    System.setProperty(NATIVE_LIBRARY_PATH, directory.toString());
  }

  private static @Nullable Path nativeLibraryDirectory() {
    boolean mac = System.getProperty("os.name").startsWith("Mac");
    String artifact = mac ? "libsqlite4java-osx" : "libsqlite4java-linux-amd64";
    Path jar = jarOf("com.almworks.sqlite4java.SQLite");
    // <repository>/com/almworks/sqlite4java/sqlite4java/<version>/sqlite4java-<version>.jar
    Path version = jar.getName(jar.getNameCount() - 2);
    Path inRepository = jar.resolve("../../..").resolve(artifact).resolve(version).normalize();
    Path besideJar = jar.resolveSibling("");
    return Stream.of(inRepository, besideJar)
        .filter(directory -> holds(directory, artifact))
        .findFirst()
        .orElse(null);
  }

  private static boolean holds(Path directory, String artifact) {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (DirectoryStream<Path> libraries =
        Files.newDirectoryStream(directory, artifact + "*.{so,dylib}")) {
      return libraries.iterator().hasNext();
    } catch (IOException e) {
      throw new UncheckedIOException("can't look for SQLite in " + directory, e);
    }
  }

  private static Path jarOf(String className) {
    try {
      return Path.of(
          Class.forName(className, false, DynamoDbServer.class.getClassLoader())
              .getProtectionDomain()
              .getCodeSource()
              .getLocation()
              .toURI());
    } catch (ReflectiveOperationException | URISyntaxException e) {
      throw new IllegalStateException("sqlite4java is not on the class path", e);
    }
  }
}
