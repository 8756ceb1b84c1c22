// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

/** Handler of the events of a record class; see {@link Handler}. */
@FunctionalInterface
public interface TypedHandler<R extends Record> {

  /** Handles an event; see {@link Handler#handle}. */
  void handle(R event, EventContext eventContext) throws Exception;
}
