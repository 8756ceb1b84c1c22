// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.LedgerObjects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits what sessions assert, knowing what the types they write to look like. */
public final class Reconciler {

  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

  private final CommitProtocol protocol;
  private final TypeStates states;

  public Reconciler(CommitProtocol protocol, LedgerObjects objects, Chain chain) {
    this.protocol = protocol;
    this.states = new TypeStates(objects, chain);
  }

  /**
   * Commits what differs from what is there.
   *
   * @return the commit; empty when nothing differs, or the terms don't hold
   */
  public Optional<Committed> commit(
      IntentQueue queue, CurrentTypes types, Terms terms, ObjectNode metadata) {
    Path directory;
    try {
      directory = Files.createTempDirectory("tidemark-");
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory can be made", e);
    }
    try {
      return protocol.commit(new Reconciliation(queue, types, states, terms, metadata, directory));
    } finally {
      remove(directory);
    }
  }

  /** Asks the terms about a queue as of now; needs no lock, and changes nothing. */
  public void preview(IntentQueue queue, Terms terms) {
    protocol.commit(base -> Reconciliation.ask(terms, queue, states, base));
  }

  private static void remove(Path directory) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      LOG.warn("the temporary directory {} couldn't be removed", directory, e);
    }
  }
}
