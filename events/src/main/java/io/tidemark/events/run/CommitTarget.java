// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.Namespace;
import io.tidemark.events.NewEvent;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.commit.Terms;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A ledger into which handlers commit, with events that are published exactly if the commit is. */
public interface CommitTarget {

  /** A new session, for the handling of one event; closed by who asked for it. */
  Session session();

  /**
   * Commits what is queued in a session, together with events.
   *
   * @param terms when they don't hold, nothing is committed and nothing is published
   * @param events each with an id. When there is nothing to change they are published all the same
   * @return the commit; empty when there is none
   */
  Optional<Commit> commit(
      Session session, Map<String, String> metadata, Terms terms, List<Emitted> events);

  /**
   * An event that a handler has emitted.
   *
   * @param namespace where it is to be published
   */
  record Emitted(Namespace namespace, NewEvent event) {}
}
