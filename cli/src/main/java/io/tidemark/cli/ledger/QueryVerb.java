// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.query.Hit;
import io.tidemark.ledger.query.Page;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.Order.Direction;
import io.tidemark.ledger.query.text.FilterText;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
public final class QueryVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerChoice options;

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
    return options.with(cache.settings(), this::ask);
  }

  private ParameterException misuse(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  private int ask(Ledger ledger) {
    TypeId id = TypeName.resolve(type, ledger.contents().types());
    QueryBuilder<ObjectNode> query = when(ledger.query().rows(id));
    TypeSchema schema = query.schema().orElseThrow();
    for (String condition : conditions) {
      query = query.where(FilterText.parse(condition, schema));
    }
    ShownAnswer shown = new ShownAnswer(options, schema);
    QueryBuilder<ObjectNode> all = query;
    if (count && explain) {
      shown.explanation(awaited(id, () -> all.explain(Aggregate.count())));
      return ExitCodes.OK;
    }
    if (count) {
      shown.count(awaited(id, all::count));
      schemaOf.note(awaited(id, all::versions));
      return ExitCodes.OK;
    }
    QueryBuilder<ObjectNode> paged = paged(all);
    if (explain) {
      shown.explanation(awaited(id, paged::explain));
      return ExitCodes.OK;
    }
    Page<ObjectNode> page = awaited(id, paged::page);
    @Nullable String hint =
        page.hits().isEmpty() && asOf.isGiven() ? hint(ledger, id, page.commitId()) : null;
    // A time such as "2 hours ago" is another one when the next page is asked for.
    shown.page(page, hint, asOf.isGiven() ? "--as-of " + page.commitId() + " " : "");
    schemaOf.note(awaited(id, all::versions));
    if (hint != null && !options.json()) {
      spec.commandLine().getErr().println("tidemark: " + hint);
    }
    return ExitCodes.OK;
  }

  private <A> A awaited(TypeId id, Supplier<A> answer) {
    return options.awaited("looking for rows of " + id + " ...", answer);
  }

  /** Who asks for a past before the type's first row is told when that was. */
  private static String hint(Ledger ledger, TypeId id, long asked) {
    Optional<Hit<ObjectNode>> first = ledger.query().rows(id).history().first();
    return "as of commit %d nothing of %s matches; %s"
        .formatted(
            asked,
            id,
            first
                .map(row -> "its first row is of commit " + row.meta().commitId())
                .orElse("it has never had a row"));
  }

  private <T> QueryBuilder<T> when(QueryBuilder<T> all) {
    QueryBuilder<T> query = all;
    if (history || since != null) {
      query = query.since(since == null ? 0 : since);
    }
    QueryBuilder<T> then = asOf.of(query, query::asOf, query::asOf);
    return schemaOf.of(then, asOf, then::inSchemaOf, then::inSchemaOfThen);
  }

  private <T> QueryBuilder<T> paged(QueryBuilder<T> all) {
    QueryBuilder<T> query = all;
    for (String order : orders) {
      String[] words = order.trim().split("\\s+", -1);
      String direction = words.length > 1 ? words[1].toLowerCase(Locale.ROOT) : "asc";
      if (words.length > 2 || !(direction.equals("asc") || direction.equals("desc"))) {
        throw misuse("--order takes a field, and asc or desc behind it, unlike '" + order + "'");
      }
      query =
          query.orderBy(
              words[0], direction.equals("asc") ? Direction.ASCENDING : Direction.DESCENDING);
    }
    query = limit == null ? query : query.limit(limit);
    query = offset == null ? query : query.offset(offset);
    query = after == null ? query : query.after(Cursor.decode(after));
    return ends ? query.withEnds() : query;
  }
}
