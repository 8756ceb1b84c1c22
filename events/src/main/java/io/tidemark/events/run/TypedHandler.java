// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

/** What is done with events that are such records; see {@link Handler}. */
@FunctionalInterface
public interface TypedHandler<R extends Record> {

  /** Handles an event; see {@link Handler#handle}. */
  void handle(R event, EventContext eventContext) throws Exception;
}
