// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ObjectStore;
import java.util.Optional;
import java.util.stream.Stream;

/** Place where a {@link NameBackend} keeps its records, as a whole. */
public interface NameStore {

  /** Returns where this is, as a person would write it; never with credentials. */
  String location();

  /** Returns the marker in which processes leave word of what they moved. */
  ChangeMarker marker();

  /**
   * Returns what is stored of the records whose {@code name:branch} starts with the prefix, in
   * versions; one request a page. Every part that is there from the first page to the last is in
   * one of them, in the version that it had then or in a newer one.
   *
   * @param page {@link VersionPage#next} of the page before; empty for the first
   */
  VersionPage listVersions(String prefix, Optional<String> page);

  /**
   * Returns the branches that were made from one and are there, retracted or not; the caller closes
   * the stream. A store whose listings may lag behind has something better: whether a record may be
   * removed depends on it.
   */
  Stream<NameRecord> branchesOf(Address source);

  /**
   * Converts everything here that lies in an older form, one after another as the stream is read.
   * Records converted before aren't listed again, so a migration may be repeated; a process that
   * dies in between leaves each record readable, in its old form or in the new one.
   */
  default Stream<MigrationEntry> migrate(MigrationMode mode) {
    return Stream.empty();
  }

  /** Returns the object store that holds the records, if any; other components may use it too. */
  default Optional<ObjectStore> objects() {
    return Optional.empty();
  }

  /**
   * Adds an observer that is told of every request to the storage service, for metrics.
   *
   * @return a handle that stops the notifications when it is run
   */
  default Runnable observe(NameRequestObserver observer) {
    return () -> {};
  }
}
