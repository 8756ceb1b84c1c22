// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

/** Something that is looked at now and then, and whose news become events. */
public interface EventSource extends AutoCloseable {

  /**
   * Publishes what is new and writes down how far that is. When it fails, what was published stays,
   * and the next time begins where this one was written down to have got.
   *
   * @return how many events were handed to the bus, of which some may have been there
   */
  int poll();

  @Override
  void close();
}
