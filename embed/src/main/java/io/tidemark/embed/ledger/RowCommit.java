// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.CommitResult;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.api.ledger.UnexpectedHeadException;
import io.tidemark.ledger.BatchSizeExceededException;
import io.tidemark.ledger.BulkWriter;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.transfer.TextRecord;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.JsonFactCodec;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Commit of rows, which are read one after the other and queued, on the disk if they are many. */
final class RowCommit {

  private static final int PROGRESS_ROWS = 1_000;

  private final EmbeddedLedgerContext use;
  private final CommitRequest request;
  private final LongConsumer progress;
  private long read;

  RowCommit(EmbeddedLedgerContext use, CommitRequest request, LongConsumer progress) {
    this.use = use;
    this.request = request;
    this.progress = progress;
  }

  /** Reads the rows and commits what isn't true yet. */
  CommitResult run() {
    // Not by LedgerUse.with, which would read the rows a second time.
    try (LedgerCache.LedgerHandle handle = use.acquire()) {
      Ledger ledger = handle.ledger();
      ExpectedHeadCondition expected = new ExpectedHeadCondition(request.expected());
      Optional<Commit> commit = commit(ledger, expected);
      expected.requireMatch();
      return new CommitResult(
          commit.map(LedgerResultMapper::commit),
          commit.map(Commit::id).or(() -> ledger.log().head()).orElse(0L));
    }
  }

  private Optional<Commit> commit(Ledger ledger, ExpectedHeadCondition expected) {
    Map<TypeId, TypeSchema> types = new TreeMap<>();
    ledger
        .schemas()
        .current()
        .forEach((id, version) -> types.put(id, StoredSchema.parse(version.schemaJson()).schema()));
    request
        .schema()
        .map(DeclaredSchema::of)
        .ifPresent(all -> all.forEach(declared -> types.put(declared.id(), declared)));
    try (Session session = ledger.session(types.values(), Integer.MAX_VALUE)) {
      read(session, types);
      if (session.queued() == 0) {
        expected.found(ledger.log().head().orElse(0L));
        return Optional.empty();
      }
      return session.commit(CommitMetadata.of(request.metadata(), request.message()), expected);
    }
  }

  private void read(Session session, Map<TypeId, TypeSchema> types) {
    JsonFactCodec facts = JsonFactCodec.of(session.checks());
    Optional<TypeId> type = request.type().map(name -> TypeResolver.resolve(name, types.keySet()));
    Function<String, Fact> parser =
        type.<Function<String, Fact>>map(id -> json -> facts.parse(json, id)).orElse(facts::parse);
    RowInput rows = request.rows();
    try (BulkWriter<TextRecord> bulkWriter = session.bulkWriter(record -> record.read(parser))) {
      for (RowInput.Part part : rows.parts()) {
        RowInputReader.read(
            part,
            rows.longest(),
            record -> {
              count(part.name());
              bulkWriter.add(record, record.length());
            });
      }
      bulkWriter.finish();
    }
    if (!rows.documents().isEmpty()) {
      read(rows.documents(), session, facts, type);
    }
  }

  private void read(
      List<JsonNode> rows, Session session, JsonFactCodec facts, Optional<TypeId> type) {
    Function<JsonNode, Fact> parser =
        type.<Function<JsonNode, Fact>>map(id -> row -> facts.parse(row, id)).orElse(facts::parse);
    try (BulkWriter<Integer> bulkWriter =
        session.bulkWriter(i -> TextRecord.parseAt(rows.get(i), parser, RowInput.ROWS, i + 1))) {
      for (int i = 0; i < rows.size(); i++) {
        count(RowInput.ROWS);
        bulkWriter.add(i, 0);
      }
      bulkWriter.finish();
    }
  }

  /** Counts a row that was read. One too many ends the commit: what follows isn't read. */
  private void count(String name) {
    use.cancellation().check();
    if (request.maxRows().isPresent() && read == request.maxRows().getAsLong()) {
      throw new BatchSizeExceededException(
          name, read, "send fewer rows, or send them to the route import");
    }
    if (++read % PROGRESS_ROWS == 0) {
      progress.accept(read);
    }
  }

  /** Condition that the newest commit is the expected one. */
  private static final class ExpectedHeadCondition implements CommitCondition {
    private final OptionalLong expected;
    private long actual;

    ExpectedHeadCondition(OptionalLong expected) {
      this.expected = expected;
    }

    @Override
    public void start(PinnedHead pinnedHead) {
      found(pinnedHead.head().commitId());
    }

    void found(long head) {
      actual = head;
    }

    @Override
    public boolean admits(TypeId type, Supplier<Identity> identity, RowMatch rowMatch) {
      return true;
    }

    @Override
    public boolean isMet() {
      return expected.isEmpty() || expected.getAsLong() == actual;
    }

    @Override
    public void finish() {}

    void requireMatch() {
      if (!isMet()) {
        throw new UnexpectedHeadException(expected.orElse(0), actual);
      }
    }
  }
}
