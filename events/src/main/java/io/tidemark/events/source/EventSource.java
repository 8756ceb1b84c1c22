// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

/** Source that is polled and whose changes become events. */
public interface EventSource extends AutoCloseable {

  /**
   * Publishes new changes and stores the position. When it fails, published events stay, and the
   * next poll begins at the stored position.
   *
   * @return number of events handed to the bus, some of which may have been stored before
   */
  int poll();

  @Override
  void close();
}
