// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.LedgerQueries;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.RowCount;
import io.tidemark.api.ledger.RowOrder;
import io.tidemark.api.ledger.RowPage;
import io.tidemark.cli.terminal.ExitCodes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark query LEDGER TYPE}. */
@Command(
    description = "Finds rows of a type, as they are or as they were.",
    footer = {
      "",
      "Conditions:",
      "  age > 30, tier = \"Gold\", email is null, active is true,",
      "  tier in (\"Gold\", \"Silver\"), name startswith \"A\", profile.city = \"SF\",",
      "  any(events.kind = \"click\"), left.tier = \"Gold\" of a relation's end,",
      "  @key = \"c1\"; joined by and, or, not, ( )",
      "",
      "Exit code 2: a condition wasn't understood. 4: there is no such type or field.",
      "",
      "Examples:",
      "  tidemark query crm Customer --where 'tier = \"Gold\" and age > 30' --order age",
      "  tidemark query crm Customer --as-of 17",
      "  tidemark query crm Customer --as-of 2026-02-10T12:00:00Z --json",
      "  tidemark query crm Subscription --where 'left.tier = \"Gold\"' --ends --limit 10",
      "  tidemark query crm Customer --where '@key = \"c1\"' --history"
    })
public final class QueryCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerMixin options;

  @Parameters(
      index = "1",
      paramLabel = "TYPE",
      description = "Whose rows; relation:NAME where an entity has the same name.")
  private String type = "";

  @Option(
      names = "--where",
      paramLabel = "EXPR",
      description = "Only rows of which this is true; several have to be true at once.")
  private List<String> conditions = List.of();

  @Option(
      names = "--order",
      paramLabel = "FIELD",
      description = "What to order by, such as age, 'age desc' or left.tier; can be repeated.")
  private List<String> orders = List.of();

  @Option(names = "--limit", paramLabel = "N", description = "At most so many rows.")
  private @Nullable Long limit;

  @Option(names = "--offset", paramLabel = "N", description = "Without the first so many rows.")
  private @Nullable Long offset;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = "Behind the page that named this as its next.")
  private @Nullable String after;

  @Mixin private AsOfOption asOf;
  @Mixin private SchemaOption schemaOf;

  @Option(names = "--history", description = "Every version of every row.")
  private boolean history;

  @Option(
      names = "--since",
      paramLabel = "N",
      description = "Every version that was written after this commit.")
  private @Nullable Long since;

  @Option(names = "--ends", description = "With the entities at both ends of relations.")
  private boolean ends;

  @Option(names = "--count", description = "Only say how many rows there are.")
  private boolean count;

  @Option(names = "--explain", description = "Say how it would be answered: files, bytes, SQL.")
  private boolean explain;

  @Mixin private CacheOption cache;

  @Override
  public Integer call() {
    if (history && since != null) {
      throw misuse("--history and --since exclude one another; say one");
    }
    if ((limit != null && limit < 0) || (offset != null && offset < 0)) {
      throw misuse("--limit and --offset can't be negative");
    }
    if (count && (limit != null || offset != null || after != null || !orders.isEmpty())) {
      throw misuse("--count counts all rows; leave out --limit, --offset, --after and --order");
    }
    Optional<AsOf> moment = asOf.moment();
    QueryRequest request = request().withAsOf(moment);
    return options.read(
        cache.settings(),
        here -> {},
        ledger -> run(ledger, request.withSchemaAsOfCommit(schemaOf.commit(ledger, moment))));
  }

  private ParameterException misuse(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  private QueryRequest request() {
    QueryRequest request =
        QueryRequest.of(type).withWhere(conditions).withHistory(history).withSince(optional(since));
    return count
        ? request
        : request
            .withOrder(orders.stream().map(this::order).toList())
            .withLimit(optional(limit))
            .withOffset(optional(offset))
            .withCursor(Optional.ofNullable(after))
            .withEnds(ends);
  }

  private static OptionalLong optional(@Nullable Long number) {
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  private RowOrder order(String text) {
    try {
      return RowOrder.parse(text);
    } catch (IllegalArgumentException e) {
      throw misuse("--" + String.valueOf(e.getMessage()).replace("\"order\"", "order"));
    }
  }

  private int run(LedgerService ledger, QueryRequest request) {
    LedgerQueries data = ledger.queries();
    QueryResultPrinter shown = new QueryResultPrinter(options);
    if (explain) {
      shown.explanation(withWaitMessage(() -> data.explain(request.withCount(count))));
      return ExitCodes.OK;
    }
    if (count) {
      RowCount counted = withWaitMessage(() -> data.count(request));
      shown.count(counted.count());
      schemaOf.note(counted.schemaVersions());
      return ExitCodes.OK;
    }
    RowPage page = withWaitMessage(() -> data.page(request.withSchema(true)));
    @Nullable String hint = page.rows().isEmpty() && asOf.isGiven() ? hint(data, page) : null;
    // A time such as "2 hours ago" is another one when the next page is asked for.
    shown.page(page, hint, asOf.isGiven() ? "--as-of " + page.commitId() + " " : "");
    schemaOf.note(page.schemaVersions());
    if (hint != null && !options.json()) {
      spec.commandLine().getErr().println("tidemark: " + hint);
    }
    return ExitCodes.OK;
  }

  private <A> A withWaitMessage(Supplier<A> answer) {
    return options.withWaitMessage("looking for rows of " + type + " ...", answer);
  }

  /** Returns a hint when the type got its first row, if an earlier past was asked for. */
  private String hint(LedgerQueries data, RowPage page) {
    List<LedgerRow> first = data.page(QueryRequest.of(type).withHistory(true).limit(1)).rows();
    return "as of commit %d nothing of %s matches; %s"
        .formatted(
            page.commitId(),
            page.schema().map(QueryResultPrinter::type).orElse(type),
            first.isEmpty()
                ? "it has never had a row"
                : "its first row is of commit " + first.get(0).commitId());
  }
}
