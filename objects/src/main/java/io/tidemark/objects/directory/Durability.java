// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

/** Failures that an acknowledged write of a directory store survives. */
public enum Durability {
  /**
   * The end of the process and of the power: before the answer, the write is on the disk, in a log
   * or in synced files and directories.
   */
  SYNC,
  /** The end of the process, kill -9 included, but not that of the power or the kernel. */
  PAGE_CACHE
}
