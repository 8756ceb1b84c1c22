// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Fact;
import io.tidemark.ledger.Row;
import io.tidemark.ledger.commit.Terms.Standing;
import io.tidemark.ledger.parquet.RowWriter;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The proposal of a session: make what is asserted true, by as little as it takes. An identity that
 * isn't there is inserted, one whose payload differs gets a new version, one that is equal by value
 * is left alone, and what isn't mentioned doesn't change.
 */
final class Reconciliation implements Proposal {

  /** Drafts larger than this are written to the disk first. */
  private static final long IN_MEMORY = 16 << 20;

  private final IntentQueue queue;
  private final CurrentTypes types;
  private final TypeStates states;
  private final Terms terms;
  private final ObjectNode metadata;
  private final Path directory;
  private int files;

  /**
   * Prepares a proposal.
   *
   * @param types finds the current schema of each type of the queue
   * @param directory for large drafts, a directory that is the caller's to remove
   */
  Reconciliation(
      IntentQueue queue,
      CurrentTypes types,
      TypeStates states,
      Terms terms,
      ObjectNode metadata,
      Path directory) {
    this.queue = queue;
    this.types = types;
    this.states = states;
    this.terms = terms;
    this.metadata = metadata;
    this.directory = directory;
  }

  @Override
  public Optional<Draft> draft(Base base) {
    terms.start(base);
    List<Draft.Part> parts = new ArrayList<>();
    List<Delta> deltas = new ArrayList<>();
    for (TypeId type : queue.types()) {
      CurrentTypes.Current current = types.at(type, base);
      TypeState state = states.at(type, base);
      Delta delta = new Delta(state, base.nextCommitId());
      part(current, delta).ifPresent(parts::add);
      deltas.add(delta);
    }
    if (parts.isEmpty() || !terms.hold()) {
      return Optional.empty();
    }
    Runnable applied = () -> deltas.forEach(Delta::apply);
    return Optional.of(new Draft(parts, metadata, List.of(), new TreeMap<>(), applied));
  }

  /** Asks the terms what a commit on this base would ask them, and drafts nothing. */
  static Optional<Draft> ask(Terms terms, IntentQueue queue, TypeStates states, Base base) {
    terms.start(base);
    for (TypeId type : queue.types()) {
      TypeState state = states.at(type, base);
      queue
          .sorted(type)
          .forEachRemaining(
              fact ->
                  terms.admits(
                      fact,
                      Delta.standing(state, Digest.of(fact.identity()), Delta.payload(fact))));
    }
    return Optional.empty();
  }

  @Override
  public void catchUp(Base base) {
    queue.types().forEach(type -> states.at(type, base));
  }

  private Optional<Draft.Part> part(CurrentTypes.Current current, Delta delta) {
    TypeId type = current.schema().id();
    try (RowWriter writer = writer(current.schema())) {
      Iterator<Fact> facts = queue.sorted(type);
      while (facts.hasNext()) {
        Fact fact = facts.next();
        if (delta.changes(fact, terms)) {
          writer.add(
              new Row(delta.commitId, fact.identity(), current.versionId(), fact.fieldsJson()));
        }
      }
      return delta.count == 0
          ? Optional.empty()
          : Optional.of(new Draft.Part(type, writer.finish(), current.versionId()));
    }
  }

  private RowWriter writer(TypeSchema schema) {
    return queue.bytes() <= IN_MEMORY
        ? RowWriter.toMemory(schema)
        : RowWriter.toFile(schema, directory.resolve("part-" + files++ + ".parquet"));
  }

  /** What changes of one type: kept as digests, to be entered into the state once it is real. */
  private static final class Delta {
    private final TypeState state;
    private final long commitId;
    private long[] digests = new long[64];
    private int count;

    Delta(TypeState state, long commitId) {
      this.state = state;
      this.commitId = commitId;
    }

    boolean changes(Fact fact, Terms terms) {
      Digest identity = Digest.of(fact.identity());
      Digest payload = payload(fact);
      Standing standing = standing(state, identity, payload);
      if (!terms.admits(fact, standing) || standing == Standing.EQUAL) {
        return false;
      }
      if (count * 4 == digests.length) {
        digests = Arrays.copyOf(digests, digests.length * 2);
      }
      int at = count++ * 4;
      digests[at] = identity.high();
      digests[at + 1] = identity.low();
      digests[at + 2] = payload.high();
      digests[at + 3] = payload.low();
      return true;
    }

    private static Standing standing(TypeState state, Digest identity, Digest payload) {
      if (state.commitOf(identity) == 0) {
        return Standing.ABSENT;
      }
      return state.holds(identity, payload) ? Standing.EQUAL : Standing.DIFFERENT;
    }

    private static Digest payload(Fact fact) {
      try {
        return Digest.ofPayload(fact.fieldsJson());
      } catch (IOException e) {
        throw new IllegalStateException("a fact whose payload is no JSON: " + fact, e);
      }
    }

    void apply() {
      for (int at = 0; at < count * 4; at += 4) {
        state.put(
            new Digest(digests[at], digests[at + 1]),
            new Digest(digests[at + 2], digests[at + 3]),
            commitId);
      }
      state.upTo(commitId);
    }
  }
}
