// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.ResultRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What a ledger answers to temporal queries of each kind, asked of both executors by somebody who
 * has never seen the ledger before and has nothing in a cache.
 */
final class TemporalQueryResults {

  private TemporalQueryResults() {}

  /** One of each kind. */
  static List<String> some(LedgerFixture fixture, Class<? extends Record> entity) {
    return of(
        fixture, List.of(queries -> queries.entities(entity)), head -> LongStream.of(head / 2));
  }

  /** Of every commit. */
  static List<String> all(LedgerFixture fixture, List<Function<Queries, QueryBuilder<?>>> types) {
    return of(fixture, types, head -> LongStream.rangeClosed(0, head));
  }

  private static List<String> of(
      LedgerFixture fixture,
      List<Function<Queries, QueryBuilder<?>>> types,
      LongFunction<LongStream> commits) {
    Path cache = directory();
    LedgerOptions options =
        LedgerFixture.options().withQueries(LedgerFixture.QUERIES.withCache(cache));
    LedgerOptions scanning = options.withQueries(options.queries().withEngine(Engine.SCAN));
    try (Ledger duckDb = Ledger.open(fixture.store(), LedgerFixture.PREFIX, options);
        Ledger scan = Ledger.open(fixture.store(), LedgerFixture.PREFIX, scanning)) {
      long head = duckDb.log().head().orElse(0L);
      return ask(
          new CrossCheckedQueries(duckDb.query(), scan.query()),
          types,
          commits.apply(head).boxed().toList());
    } finally {
      remove(cache);
    }
  }

  private static List<String> ask(
      CrossCheckedQueries crossCheckedQueries,
      List<Function<Queries, QueryBuilder<?>>> types,
      List<Long> commits) {
    List<String> answers = new ArrayList<>();
    for (Function<Queries, QueryBuilder<?>> type : types) {
      answers.add("latest " + told(crossCheckedQueries, type));
      answers.add("history " + told(crossCheckedQueries, q -> type.apply(q).history()));
      for (long at : commits) {
        answers.add("as of " + at + " " + told(crossCheckedQueries, q -> type.apply(q).asOf(at)));
        answers.add("since " + at + " " + told(crossCheckedQueries, q -> type.apply(q).since(at)));
      }
    }
    return answers;
  }

  private static List<String> told(
      CrossCheckedQueries crossCheckedQueries, Function<Queries, QueryBuilder<?>> question) {
    return crossCheckedQueries.told(question, TemporalQueryResults::told);
  }

  private static String told(ResultRow<?> resultRow) {
    return resultRow.meta().commitId()
        + ":"
        + resultRow.meta().identity()
        + "="
        + resultRow.value();
  }

  private static Path directory() {
    try {
      return Files.createTempDirectory("tidemark-answers-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
