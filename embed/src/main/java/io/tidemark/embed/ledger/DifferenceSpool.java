// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.DiffRequest;
import io.tidemark.api.ledger.DiffSummary;
import io.tidemark.api.ledger.DiffSummary.TypeCounts;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.branch.Diff;
import io.tidemark.ledger.internal.branch.Difference;
import io.tidemark.ledger.internal.branch.Revision;
import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.Address;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Rows that differ between two states, set aside on the disk while they are counted, since the
 * counts precede them.
 */
final class DifferenceSpool implements AutoCloseable {

  private static final String NO_ROOM = "there is no room for what differs on the disk";

  private final DiffRequest request;
  private final ScratchFile rows;

  DifferenceSpool(DiffRequest request) {
    this.request = request;
    try {
      this.rows = new ScratchFile();
    } catch (IOException e) {
      throw new UncheckedIOException(NO_ROOM, e);
    }
  }

  /** Finds and counts the rows that differ. */
  DiffSummary collect(
      Ledger ledger, Address address, CancellationToken cancellationToken, LongConsumer progress) {
    Revision from = Revision.parse(request.from(), new BranchName(address.branch()));
    Revision to = Revision.parse(request.to(), new BranchName(address.branch()));
    Diff now =
        ledger.diff(
            from,
            to,
            read -> {
              cancellationToken.throwIfCancelled();
              progress.accept(read);
            });
    Diff diff =
        request.schemaAsOfCommit().isPresent()
            ? now.inSchemaOf(request.schemaAsOfCommit().getAsLong())
            : now;
    Map<TypeId, Map<Difference.Kind, Long>> counts = new TreeMap<>();
    try (Writer out =
        new BufferedWriter(new OutputStreamWriter(rows.append(), StandardCharsets.UTF_8))) {
      diff.forEach(
          each -> {
            cancellationToken.throwIfCancelled();
            counts
                .computeIfAbsent(each.type(), type -> new EnumMap<>(Difference.Kind.class))
                .merge(each.kind(), 1L, Long::sum);
            if (!request.stat()) {
              write(out, each);
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(NO_ROOM, e);
    }
    return new DiffSummary(
        from.branch() + "@" + diff.from(),
        to.branch() + "@" + diff.to(),
        diff.ancestor(),
        counts(counts),
        LedgerResultMapper.mixes(diff.versions()),
        LedgerResultMapper.purged(diff.purged()));
  }

  private static void write(Writer out, Difference each) {
    try {
      out.write(WireJson.text(LedgerResultMapper.difference(each)) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(NO_ROOM, e);
    }
  }

  private static List<TypeCounts> counts(Map<TypeId, Map<Difference.Kind, Long>> counts) {
    return counts.entrySet().stream()
        .map(
            each ->
                new TypeCounts(
                    each.getKey().kind().singular(),
                    each.getKey().name(),
                    each.getValue().getOrDefault(Difference.Kind.INSERTED, 0L),
                    each.getValue().getOrDefault(Difference.Kind.CHANGED, 0L),
                    each.getValue().getOrDefault(Difference.Kind.REMOVED, 0L)))
        .toList();
  }

  /** Reads the rows that were found. */
  void forEach(Consumer<? super RowDifference> consumer) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(rows.read(0), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        consumer.accept(WireJson.read(LedgerResultMapper.parsed(line), RowDifference.class));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    rows.close();
  }
}
