// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.ledger.BatchSizeExceededException;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Intake;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.JsonFacts;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.transfer.ImportInput;
import io.tidemark.ledger.transfer.TextRecord;
import io.tidemark.ledger.view.CommitJson;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark commit LEDGER FILE}. */
@Command(
    description =
        "Makes the rows of a file true, in one commit: what isn't there is inserted, what differs"
            + " gets a new version, what is equal or isn't mentioned stays as it is. When nothing"
            + " differs there is no commit.",
    footer = {
      "",
      "A row gives all fields of one entity or relation, as lines of JSON or as one JSON array:",
      "  {\"id\":\"c1\",\"age\":30}                                         with --type Customer",
      "  {\"left_key\":\"c1\",\"right_key\":\"p1\",\"seats\":5}               of a relation",
      "  {\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"fields\":{..}}  as exported",
      "",
      "Examples:",
      "  tidemark commit crm customers.jsonl --type Customer --schema crm.schema.json -m 'First'",
      "  tidemark commit crm changes.json --meta ticket=42",
      "  echo '{\"id\":\"c1\",\"age\":31}' | tidemark commit crm - --type Customer"
    })
public final class CommitVerb implements Callable<Integer> {

  private static final int TOLD_EVERY = 1000;

  @Spec private CommandSpec spec;
  @Mixin private LedgerChoice options;
  @Mixin private WrittenOptions written;

  @Parameters(index = "1", paramLabel = "FILE", description = "The rows; - for standard input.")
  private String file;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "The type of all rows, when they don't say it.")
  private @Nullable String type;

  @Option(
      names = "--max-batch",
      paramLabel = "N",
      description = "Refuse a file of more rows than this. Default: no limit")
  private int maxBatch = Integer.MAX_VALUE;

  @Override
  public Integer call() {
    if (maxBatch < 1) {
      throw new ParameterException(spec.commandLine(), "--max-batch takes a number from 1");
    }
    return options.with(this::commit);
  }

  private int commit(Ledger ledger) {
    Map<TypeId, TypeSchema> types = new TreeMap<>();
    ledger
        .schemas()
        .current()
        .forEach((id, version) -> types.put(id, StoredSchema.parse(version.schemaJson()).schema()));
    written.types().forEach(declared -> types.put(declared.id(), declared));
    try (Session session = ledger.session(types.values(), maxBatch)) {
      read(session, types);
      Optional<Commit> commit =
          options.awaited("writing the commit", () -> session.commit(written.metadata()));
      options.print(
          CommitJson.outcome(commit),
          commit
              .map(
                  done ->
                      "commit " + done.id() + ": " + ShownRow.rows(done.operations()) + " written")
              .orElse("nothing to commit: all of it is so already"));
      return ExitCodes.OK;
    }
  }

  private void read(Session session, Map<TypeId, TypeSchema> types) {
    JsonFacts facts = JsonFacts.of(session.checks());
    boolean piped = file.equals("-");
    String name = piped ? "standard input" : file;
    ImportInput input =
        piped ? ImportInput.of(System.in, name) : new ImportInput.One(Path.of(file));
    Function<String, Fact> parser = facts::parse;
    if (type != null) {
      TypeId id = TypeName.resolve(type, types.keySet());
      parser = json -> facts.parse(json, id);
    }
    Function<String, Fact> chosen = parser;
    Progress progress = options.progress();
    AtomicLong rows = new AtomicLong();
    try (Intake<TextRecord> intake = session.intake(record -> record.read(chosen))) {
      input.forEach(
          record -> {
            if (rows.get() == maxBatch) { // nothing behind it has to be read
              throw new BatchSizeExceededException(
                  name, maxBatch, "raise --max-batch, or leave it out");
            }
            intake.add(record, record.length());
            if (rows.incrementAndGet() % TOLD_EVERY == 0) {
              progress.at(rows + " rows read");
            }
          });
      intake.finish();
    } finally {
      progress.end();
    }
  }
}
