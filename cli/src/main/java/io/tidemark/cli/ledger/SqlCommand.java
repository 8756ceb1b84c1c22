// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.LedgerSql;
import io.tidemark.api.ledger.SqlHeader;
import io.tidemark.api.ledger.SqlRequest;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark sql LEDGER STATEMENT}. */
@Command(
    description = "Asks in SQL, as things are or as they were.",
    footer = {
      "",
      "Every type is a table with its fields as columns and the last version of each",
      "row; TYPE_history has every version, and commits the commits. All rows have",
      "commit_id and fields_json, and their keys: entity_key, or left_key, right_key",
      "and instance_key.",
      "The SQL is DuckDB's. Anything but one SELECT on these tables is refused.",
      "",
      "Exit code 2: the statement wasn't understood. 4: it took more than its limits.",
      "7: refused.",
      "",
      "Examples:",
      "  tidemark sql crm 'SELECT tier, avg(age) FROM Customer GROUP BY tier'",
      "  tidemark sql crm 'SELECT * FROM Customer WHERE id = ?' --param c1 --as-of 17",
      "  tidemark sql crm 'SELECT commit_id, age FROM Customer_history' --format csv",
      "  tidemark sql crm 'FROM Customer' --output customers.parquet",
      "  tidemark sql crm 'SHOW TABLES'"
    })
public final class SqlCommand implements Callable<Integer> {

  /** Format of the result. */
  enum Format {
    TABLE,
    JSON,
    CSV,
    PARQUET
  }

  private static final String ASKING = "asking ...";

  @Spec private CommandSpec spec;
  @Mixin private LedgerMixin options;

  @Parameters(
      index = "1",
      paramLabel = "STATEMENT",
      description = "What to ask; - to read it from standard input.")
  private String text = "";

  @Mixin private AsOfOption asOf;
  @Mixin private SchemaOption schemaOf;

  @Option(
      names = "--param",
      paramLabel = "VALUE",
      description = {
        "The value of the next ? in the statement: a number, true, false, null,",
        "or text, in double quotes if it looks like one of these. Can be repeated."
      })
  private List<String> parameters = List.of();

  @Option(
      names = "--format",
      paramLabel = "F",
      description = {
        "table, json, csv or parquet. Default: what the name of FILE ends with;",
        "else table, or json with --json"
      })
  private @Nullable Format format;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Where to write the answer, in place of what is there.")
  private @Nullable Path output;

  @Option(
      names = "--max-rows",
      paramLabel = "N",
      description = {
        "End with an error after so many rows. Default: 1000000. For parquet there is",
        "no default, since a file may have 10 GB (1 GB from a server)."
      })
  private @Nullable Long maxRows;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "End it after so long. Default: 60")
  private @Nullable Double timeout;

  @Option(
      names = "--allow-unlimited-sql",
      description = {
        "Run it also where the system can't limit the memory of its process, as",
        "without /bin/sh: it may then take all of it."
      })
  private boolean unlimited;

  @Mixin private CacheOption cache;

  @Override
  public Integer call() {
    if ((maxRows != null && maxRows < 0)
        || (timeout != null && !(timeout >= 0.001 && timeout < 1e9))) {
      throw misuse("--max-rows can't be negative, and --timeout has to be more than nothing");
    }
    Format chosen = effectiveFormat();
    if (chosen == Format.PARQUET && output == null) {
      throw misuse("--format parquet needs --output FILE");
    }
    String statement = text.equals("-") ? standardInput() : text;
    Optional<AsOf> moment = asOf.moment();
    SqlRequest request =
        SqlRequest.of(statement)
            .withParameters(parameters.stream().map(SqlCommand::value).toList())
            .withAsOf(moment)
            .withMaxRows(maxRows == null ? OptionalLong.empty() : OptionalLong.of(maxRows))
            .withTimeoutMillis(
                timeout == null ? OptionalLong.empty() : OptionalLong.of((long) (timeout * 1000)));
    return options.read(
        LedgerOptions.standard().withQueries(queries()),
        here -> here.prepareSql(limits()), // it gets ready while the ledger is opened
        ledger ->
            run(ledger, request.withSchemaAsOfCommit(schemaOf.commit(ledger, moment)), chosen));
  }

  private QuerySettings queries() {
    QuerySettings queries = cache.queries();
    return unlimited ? queries.withIsolation(Isolation.UNLIMITED_PROCESS) : queries;
  }

  /**
   * Returns the format: by its option, else by the name of the output file, else by {@code --json}.
   */
  private Format effectiveFormat() {
    if (format != null) {
      return format;
    }
    String name = output == null ? "" : output.toString().toLowerCase(Locale.ROOT);
    for (Format each : List.of(Format.JSON, Format.CSV, Format.PARQUET)) {
      if (name.endsWith("." + each.name().toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    return options.json() ? Format.JSON : Format.TABLE;
  }

  private ParameterException misuse(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  private static String standardInput() {
    try {
      return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read the statement from standard input", e);
    }
  }

  private int run(LedgerService ledger, SqlRequest request, Format chosen) {
    LedgerSql sql = ledger.queries().sql();
    if (chosen == Format.PARQUET && output != null) {
      Path file = output;
      long rows = options.withWaitMessage(ASKING, () -> sql.write(request, file, schemaOf::note));
      options.print(
          JsonNodeFactory.instance.objectNode().put("rows", rows).put("file", output.toString()),
          LedgerFormatter.rows(rows) + " written to " + output);
      return ExitCodes.OK;
    }
    try (ResultStream<SqlHeader, ObjectNode> answer =
        options.withWaitMessage(ASKING, () -> sql.query(request))) {
      schemaOf.note(answer.header().schemaVersions());
      if (output == null) {
        write(answer, chosen, options.out());
      } else {
        write(answer, chosen, output);
      }
    }
    return ExitCodes.OK;
  }

  private SqlLimits limits() {
    SqlLimits standard = SqlLimits.standard();
    return standard
        .withRows(maxRows == null ? standard.rows() : maxRows)
        .withTime(timeout == null ? standard.time() : Duration.ofMillis((long) (timeout * 1000)));
  }

  private static void write(
      ResultStream<SqlHeader, ObjectNode> answer, Format chosen, PrintWriter out) {
    SqlResultPrinter shown = new SqlResultPrinter(answer, out);
    switch (chosen) {
      case JSON -> shown.json();
      case CSV -> shown.csv();
      default -> shown.text();
    }
    out.flush();
  }

  private static void write(ResultStream<SqlHeader, ObjectNode> answer, Format chosen, Path file) {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      write(answer, chosen, out);
      if (out.checkError()) {
        throw new IOException("not all of it could be written");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't write " + file, e);
    }
  }

  /** Parses a word as a JSON scalar; any other word is text. */
  private static JsonNode value(String word) {
    try {
      JsonNode node = CanonicalJson.parse(word.getBytes(StandardCharsets.UTF_8));
      return node.isValueNode() ? node : JsonNodeFactory.instance.textNode(word);
    } catch (IOException e) {
      return JsonNodeFactory.instance.textNode(word);
    }
  }
}
