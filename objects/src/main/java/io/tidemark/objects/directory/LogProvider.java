// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provider of the log of a process, which is begun when it is worth it: a process that makes a few
 * writes and ends has them synced one by one.
 */
final class LogProvider {

  private static final Logger LOG = LoggerFactory.getLogger(LogProvider.class);

  /** After it couldn't be begun, such as on a full disk. */
  private static final int TRIES_AGAIN_AFTER = 1_000;

  private final WriteCoordinator room;
  private final Path root;
  private final LogFolder folder;
  private final LogCheckpoint logCheckpoint;
  private final HostOps hostOps;
  private Optional<WriteLog> log = Optional.empty();
  private int unlogged;

  LogProvider(WriteCoordinator room, Path root, long writer, HostOps hostOps) {
    this.room = room;
    this.root = root;
    this.hostOps = hostOps;
    this.folder = new LogFolder(root, writer, hostOps);
    this.logCheckpoint = new LogCheckpoint(root, folder, hostOps);
    this.unlogged = hostOps.limits().unlogged();
  }

  /** Deals with the logs of dead processes. */
  void recover() throws IOException {
    new Recovery(room, root, folder, logCheckpoint, hostOps).run();
  }

  /** Returns whether the next write is to go through the log, if there is one to be had. */
  synchronized boolean shouldLog() {
    return log.isPresent() || unlogged-- <= 0;
  }

  /**
   * Returns the log; empty when none can be made, such as on a full disk. To be asked for with a
   * key locked, and used before it is let go: the room is shut when no key is locked.
   */
  synchronized Optional<WriteLog> log() {
    if (log.isEmpty()) {
      try {
        log = Optional.of(begin());
      } catch (IOException e) {
        LOG.warn("no write log can be made in {}, so each write is synced by itself", root, e);
        unlogged = TRIES_AGAIN_AFTER;
      }
    }
    return log;
  }

  /**
   * Returns the log for a delete; empty when it is to be synced by itself. That leaves no trace, so
   * it is safe only when no log can have a record that would bring the object back.
   */
  synchronized Optional<WriteLog> logForDelete() throws IOException {
    if (log.isEmpty() && !folder.segments().isEmpty()) {
      log = Optional.of(begin());
    }
    return shouldLog() ? log() : Optional.empty();
  }

  private WriteLog begin() throws IOException {
    for (Path spares : RecycledFiles.folders(root.resolve(".tidemark").resolve("spare"))) {
      Files.createDirectories(spares);
    }
    return new WriteLog(folder, logCheckpoint, room::runExclusively, hostOps);
  }

  /** Settles the log and removes it; to be called when no key is locked. */
  synchronized void close() {
    if (log.isEmpty()) {
      return;
    }
    WriteLog ending = log.get();
    log = Optional.empty();
    try {
      ending.close();
    } catch (IOException e) {
      LOG.warn("the write log in {} stays for the next process to settle; check the disk", root, e);
    }
  }
}
