// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import io.tidemark.objects.StoreFailureException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * File of tokens, one JSON object a line. It contains no secrets. But write access to it amounts to
 * every grant, and read access reveals the grants of all callers. So it must belong to one user
 * alone.
 */
public final class TokenFile {

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  private final Path file;
  private final boolean shared;

  /** Creates a token file that must be private to its user. */
  public TokenFile(Path file) {
    this(file, false);
  }

  /** Creates a token file that other users may read or write if {@code shared} is set. */
  TokenFile(Path file, boolean shared) {
    this.file = file;
    this.shared = shared;
  }

  /** Reads all tokens; none if there is no file. */
  public List<TokenRecord> read() {
    List<TokenRecord> tokens = new ArrayList<>();
    try {
      requirePrivate();
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        number++;
        if (!line.isBlank()) {
          tokens.add(token(line, number));
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw failure("read", e);
    }
    return tokens;
  }

  private TokenRecord token(String line, int number) {
    try {
      return TokenRecord.parseLine(line);
    } catch (InvalidAccessException e) {
      throw new InvalidAccessException(
          "line %d of %s isn't understood: %s".formatted(number, file, e.getMessage()));
    }
  }

  private void requirePrivate() throws IOException {
    if (shared || !Files.getFileStore(file).supportsFileAttributeView("posix")) {
      return;
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (!OWNERS.containsAll(permissions)) {
      throw new InvalidAccessException(
          "others may read or write the tokens in %s (%s); run chmod 600 on it"
              .formatted(file, PosixFilePermissions.toString(permissions)));
    }
  }

  /** Adds a token; a name can have only one. */
  public void add(TokenRecord tokenRecord) {
    change(
        tokens -> {
          if (tokens.stream().anyMatch(other -> other.name().equals(tokenRecord.name()))) {
            throw new InvalidAccessException(
                "there is a token named %s already; remove it first, or take another name"
                    .formatted(tokenRecord.name()));
          }
          List<TokenRecord> more = new ArrayList<>(tokens);
          more.add(tokenRecord);
          return more;
        });
  }

  /** Removes a token, which is invalid from then on. */
  public void remove(String name) {
    change(
        tokens -> {
          List<TokenRecord> left =
              tokens.stream().filter(tokenRecord -> !tokenRecord.name().equals(name)).toList();
          if (left.size() == tokens.size()) {
            throw new InvalidAccessException(
                "there is no token named %s in %s; see 'tidemark token list'"
                    .formatted(name, file));
          }
          return left;
        });
  }

  /** Replaces the file atomically, so that a reader finds the old or the new version. */
  private void change(UnaryOperator<List<TokenRecord>> how) {
    Path whole = file.toAbsolutePath();
    Path lock = whole.resolveSibling(whole.getFileName() + ".lock");
    Path next = whole.resolveSibling(whole.getFileName() + ".next");
    try (FileChannel channel =
            FileChannel.open(
                lock,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                ownerOnlyAttributes(whole));
        FileLock held = channel.lock()) {
      List<String> lines = how.apply(read()).stream().map(TokenRecord::toLine).toList();
      Files.deleteIfExists(next);
      Files.createFile(next, ownerOnlyAttributes(whole));
      Files.write(next, lines);
      replace(next, whole);
    } catch (IOException e) {
      throw failure("write", e);
    }
  }

  private static FileAttribute<?>[] ownerOnlyAttributes(Path file) throws IOException {
    Path directory = file.getParent();
    boolean posix =
        directory != null && Files.getFileStore(directory).supportsFileAttributeView("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static void replace(Path next, Path file) throws IOException {
    try {
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Requires the file to exist, since without it no token is valid.
   *
   * @param jwt whether callers can also authenticate by JWT
   * @throws InvalidAccessException if the file doesn't exist
   */
  void requirePresent(boolean jwt) {
    if (!Files.exists(file)) {
      throw new InvalidAccessException(
          ("there is no file of tokens %s, so %s; check the path, or make a token in it with"
                  + " 'tidemark token create'%s")
              .formatted(
                  file,
                  jwt ? "callers could use JWT alone" : "nobody could use the server",
                  jwt ? ", or leave out --tokens (TIDEMARK_TOKENS) if JWT is all" : ""));
    }
  }

  /** Returns a value that changes whenever the file does. */
  Object stamp() {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return List.of(now.lastModifiedTime(), now.size(), String.valueOf(now.fileKey()));
    } catch (NoSuchFileException e) {
      return "absent";
    } catch (IOException e) {
      throw failure("read", e);
    }
  }

  private StoreFailureException failure(String what, IOException e) {
    return new StoreFailureException("can't %s the tokens in %s: %s".formatted(what, file, e), e);
  }
}
