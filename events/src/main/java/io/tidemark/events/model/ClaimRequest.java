// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/**
 * A wish for work.
 *
 * @param handlerId who wants it; each handler gets every event that it is interested in
 * @param interest which events it wants; the same in every process that claims for the handler
 * @param limit how many at most
 * @param sessionId which process, or which of its runs, does the work
 */
public record ClaimRequest(String handlerId, Interest interest, int limit, String sessionId) {
  public ClaimRequest {
    Naming.handler(handlerId);
    Naming.session(sessionId);
    if (limit < 1) {
      throw new IllegalArgumentException("a claim of " + limit + " events; ask for 1 or more");
    }
  }
}
