// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import io.tidemark.names.NameBackend;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Settings of a connection document: a {@code @graph} of one {@code Connection} and the {@code
 * Storage} and {@code PublisherNode} nodes that it refers to.
 *
 * <p>Any value may be an object {@code {"envVar", "javaProp", "defaultVal"}} instead: then the
 * environment variable counts, else the system property, else the default; an empty variable is one
 * that isn't set. Unknown keys of a document cause a warning and are otherwise ignored.
 *
 * @param commitStorage storage of commits; the storage of indices, when the document names none
 * @param indexStorage storage of indices
 * @param primaryPublisher storage of names; when empty, the storage of commits
 * @param parallelism how many things to do at a time, for rooms that ask
 * @param cacheMaxMb how much to hold in memory, for rooms that ask
 */
public record ConnectionConfig(
    StorageNode commitStorage,
    StorageNode indexStorage,
    Optional<PublisherNode> primaryPublisher,
    OptionalInt parallelism,
    OptionalInt cacheMaxMb) {

  /** Reads a document. */
  public static ConnectionConfig parse(String json, Environment environment) {
    return new ConnectionReader(ConnectionGraph.parse(json), environment).read();
  }

  /** Reads a document from a file. */
  public static ConnectionConfig read(Path file, Environment environment) {
    String json;
    try {
      json = Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new InvalidConnectionException(
          "there is no connection document " + file + "; write the path of one, or of a directory");
    } catch (CharacterCodingException e) {
      throw new InvalidConnectionException(
          "the connection document " + file + " isn't UTF-8; save it as such");
    } catch (IOException e) {
      throw new InvalidConnectionException(
          "the connection document " + file + " can't be read (" + e + "); may you read it?", e);
    }
    try {
      return parse(json, environment);
    } catch (InvalidConnectionException e) {
      throw new InvalidConnectionException(file + ": " + e.getMessage(), e);
    }
  }

  /** Returns where names are kept, as {@link io.tidemark.names.NameService#open} takes it. */
  public String location() {
    return primaryPublisher.map(PublisherNode::location).orElseGet(commitStorage::location);
  }

  /** Opens the nameservice. */
  public NameBackend openNames() {
    return primaryPublisher.map(PublisherNode::openNames).orElseGet(commitStorage::openNames);
  }
}
