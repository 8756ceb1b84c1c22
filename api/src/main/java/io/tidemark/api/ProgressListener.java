// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api;

/**
 * Listener that receives the progress of long work, in the thread that does it. Work on a server
 * tells its progress only where the description of the operation has a stream of lines; otherwise
 * the listener isn't called.
 */
@FunctionalInterface
public interface ProgressListener {

  /** Called now and then, and not for every unit. */
  void progress(Progress now);

  /** Returns a listener that ignores everything. */
  static ProgressListener none() {
    return now -> {};
  }
}
