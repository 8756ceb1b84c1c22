// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.catalog.SchemaValidator;
import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.internal.commit.FactBatch;
import io.tidemark.ledger.internal.commit.Metadata;
import io.tidemark.ledger.internal.commit.Reconciler;
import io.tidemark.ledger.internal.commit.SchemaResolver;
import io.tidemark.ledger.internal.commit.WriteBuffer;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.FactBytes;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.ValueCheck;
import io.tidemark.ledger.store.Outbox;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Session that takes assertions, and commits those that don't hold yet.
 *
 * <p>{@link #ensure} queues assertions: each gives all fields of one entity or relation. {@link
 * #commit} compares them with the stored rows and commits the difference, if there is one. Rows
 * without an assertion don't change, and are never deleted. When a commit fails, its assertions
 * stay queued.
 *
 * <p>For use by one thread. Closing a session discards its queue; see {@link Ledger#write} for a
 * form that commits at the end unless the work failed, which {@code close()} can't know.
 */
public final class Session implements AutoCloseable {

  private final Ledger ledger;
  private final LedgerOptions options;
  private final int maxBatchSize;
  private final SchemaValidator validated;
  private final Reconciler reconciler;
  private final Map<TypeId, TypeSchema> types = new TreeMap<>();
  private final Map<TypeId, ValueCheck> checks = new HashMap<>();
  private final WriteBuffer queue = new WriteBuffer();
  private boolean declared;

  Session(
      Ledger ledger,
      Ledger.LedgerComponents ledgerComponents,
      Collection<TypeSchema> types,
      int maxBatchSize) {
    this.ledger = ledger;
    this.options = ledgerComponents.options();
    this.maxBatchSize = maxBatchSize;
    this.validated = ledgerComponents.validated();
    this.reconciler = ledgerComponents.reconciler();
    types.forEach(this::declare);
  }

  private void declare(TypeSchema type) {
    types.put(type.id(), type);
    checks.put(type.id(), ValueCheck.of(type, options.maxRowBytes()));
  }

  /**
   * Checks that the declared types are those of the ledger, and registers the missing ones. The
   * first {@link #commit} does so too. After that, a type that has changed or was dropped since
   * fails the commit, until this or another session declares it again.
   */
  public void validate() {
    validated.validate(types.values());
    declared = true;
  }

  private void validateOnce() {
    if (!declared) {
      validate();
    }
  }

  /**
   * Queues an assertion, or each one of a collection.
   *
   * @param value a record of a declared type, a {@link Fact} or an {@link Iterable} of these; if an
   *     element is anything else, those before it are queued
   * @throws InvalidValueException when the value is anything else, or doesn't fit its type
   */
  public Session ensure(Object value) {
    if (value instanceof Iterable<?> many) {
      try (BulkWriter<Object> bulkWriter = new BulkWriter<>(queue, this::addAny)) {
        take(many, bulkWriter);
        bulkWriter.finish();
      }
      return this;
    }
    queue.add(batch -> addAny(value, batch));
    return this;
  }

  /**
   * Queues the facts of any number of values, on all cores when there are many.
   *
   * @param facts makes a fact of a value, in any thread
   */
  public <T> BulkWriter<T> bulkWriter(Function<T, Fact> facts) {
    return new BulkWriter<>(queue, (value, batch) -> add(facts.apply(value), batch));
  }

  /**
   * Queues the facts of values of which most can be encoded as bytes.
   *
   * @param quick encodes the fact; false when it can't
   * @param facts makes a fact of any other value
   */
  public <T> BulkWriter<T> bulkWriter(BiPredicate<T, FactBytes> quick, Function<T, Fact> facts) {
    return new BulkWriter<>(
        queue,
        (value, batch) -> {
          if (quick.test(value, batch.draft())) {
            check(batch.draft().type());
            batch.addDraft();
          } else {
            add(facts.apply(value), batch);
          }
        });
  }

  private static void take(Iterable<?> many, BulkWriter<Object> bulkWriter) {
    for (Object value : many) {
      if (value instanceof Iterable<?> more) {
        take(more, bulkWriter);
      } else {
        bulkWriter.add(value, 0);
      }
    }
  }

  private void addAny(Object value, FactBatch batch) {
    if (value instanceof Fact fact) {
      add(fact, batch);
    } else if (value instanceof Record given) {
      add(given, batch);
    } else {
      add(RecordType.factOf(value), batch);
    }
  }

  private void add(Fact fact, FactBatch batch) {
    check(fact.type());
    batch.add(fact);
  }

  private void add(Record value, FactBatch batch) {
    RecordType<?> type = RecordType.of(value.getClass());
    ValueCheck check = check(type.schema().id());
    if (!check.schema().equals(type.schema())) {
      throw new InvalidValueException(
          value.getClass().getSimpleName()
              + " isn't "
              + type.schema().id()
              + " as this session has it ("
              + SchemaDiff.between(check.schema(), 1, type.schema())
              + "); declare the type by this very record");
    }
    if (type.write(value, check, batch.draft())) {
      batch.addDraft();
    } else {
      batch.add(type.fact(value, check));
    }
  }

  /** Queues an entity given by its fields. */
  public Session ensure(TypeId type, ObjectNode fields) {
    queue.add(check(type).entity(fields));
    return this;
  }

  /** Queues a relation given by its ends and fields. */
  public Session ensure(TypeId type, Identity.RelationKey key, ObjectNode fields) {
    queue.add(check(type).relation(key, fields));
    return this;
  }

  /** Returns the check for values of a declared type. */
  public ValueCheck check(TypeId type) {
    ValueCheck check = checks.get(type);
    if (check == null) {
      throw new InvalidValueException(
          type + " isn't declared in this session; its types are " + types.keySet());
    }
    return check;
  }

  /** Returns the checks for values of all declared types. */
  public Collection<ValueCheck> checks() {
    return List.copyOf(checks.values());
  }

  /** Returns the number of queued assertions. */
  public long queued() {
    return queue.size();
  }

  /** Commits with no metadata of its own. */
  public Optional<Commit> commit() {
    return commit(Map.of());
  }

  /**
   * Commits the queued assertions that don't hold yet.
   *
   * @param metadata kept with the commit, beside the namespace
   * @return the commit; empty when there was nothing to change
   * @throws BatchSizeExceededException when too much is queued
   * @throws io.tidemark.ledger.internal.catalog.SchemaOutdatedException when a type isn't that of
   *     the ledger
   * @throws io.tidemark.ledger.commit.LockContentionException when another writer is busy
   * @throws io.tidemark.objects.OutcomeUnknownException when it can't be found out whether the
   *     commit happened; committing again is safe, and finds nothing to do if it did
   */
  public Optional<Commit> commit(Map<String, String> metadata) {
    return commit(metadata, CommitCondition.none());
  }

  /**
   * Commits if a condition holds.
   *
   * @return the commit; empty when there was nothing to change, or when the condition doesn't hold,
   *     and then all stays queued
   */
  public Optional<Commit> commit(Map<String, String> metadata, CommitCondition commitCondition) {
    return commit(metadata, commitCondition, Outbox.none());
  }

  /**
   * Commits with outbox documents: they are in {@link CommitLog#outbox} exactly if the commit
   * succeeds.
   *
   * @return the commit; when it is empty, the documents aren't stored
   * @throws OutboxTooLargeException when the documents are too large
   */
  public Optional<Commit> commit(
      Map<String, String> metadata, CommitCondition commitCondition, Outbox outbox) {
    long bytes = outbox.bytes();
    if (bytes > options.maxOutboxBytes()) {
      throw new OutboxTooLargeException(outbox.size(), bytes, options.maxOutboxBytes());
    }
    if (queue.isEmpty()) {
      return Optional.empty();
    }
    if (queue.size() > maxBatchSize) {
      throw new BatchSizeExceededException(queue.size(), maxBatchSize);
    }
    validateOnce();
    Optional<Commit> commit = commit(queue, metadata, commitCondition, outbox);
    if (commitCondition.isMet()) {
      queue.clear();
    }
    return commit;
  }

  /**
   * Commits the queue in several commits, each with a maximum number of assertions. When one fails,
   * those before it stay, and all is still queued; a second call finds them committed.
   *
   * @param each receives every commit
   */
  public void commitInBatches(
      int size,
      Map<String, String> metadata,
      CommitCondition commitCondition,
      Consumer<Commit> each) {
    validateOnce();
    try (WriteBuffer part = new WriteBuffer()) {
      for (TypeId type : queue.types()) {
        Iterator<Fact> facts = queue.sorted(type);
        while (facts.hasNext()) {
          part.add(facts.next());
          if (part.size() == size && !commitPart(part, metadata, commitCondition, each)) {
            return;
          }
        }
      }
      if (part.isEmpty() || commitPart(part, metadata, commitCondition, each)) {
        queue.clear();
      }
    }
  }

  private boolean commitPart(
      WriteBuffer part,
      Map<String, String> metadata,
      CommitCondition commitCondition,
      Consumer<Commit> each) {
    commit(part, metadata, commitCondition, Outbox.none()).ifPresent(each);
    part.clear();
    return commitCondition.isMet();
  }

  private Optional<Commit> commit(
      WriteBuffer part,
      Map<String, String> metadata,
      CommitCondition commitCondition,
      Outbox outbox) {
    ObjectNode json = Metadata.of(Map.of("namespace", options.namespace()), metadata);
    Optional<Commit> commit =
        reconciler
            .commit(
                part,
                this::current,
                commitCondition,
                new Reconciler.CommitAnnotations(json, outbox))
            .map(Commit::of);
    commitCondition.finish();
    return commit;
  }

  /**
   * Evaluates a condition for all queued assertions as of now; changes nothing, in the ledger or
   * here.
   */
  public void preview(CommitCondition commitCondition) {
    reconciler.preview(queue, commitCondition);
  }

  private SchemaResolver.CurrentSchema current(TypeId type, PinnedHead pinnedHead) {
    return validated.resolve(check(type).schema(), pinnedHead);
  }

  /** Returns the ledger that this session writes to. */
  public Ledger ledger() {
    return ledger;
  }

  /** Discards the queue. */
  @Override
  public void close() {
    queue.close();
  }
}
