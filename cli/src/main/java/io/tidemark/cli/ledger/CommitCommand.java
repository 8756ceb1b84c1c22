// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.CommitResult;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.ledger.BatchSizeExceededException;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
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
public final class CommitCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerMixin options;
  @Mixin private RowWriteOptions written;

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
    return options.write(this::commit);
  }

  private int commit(LedgerService ledger) {
    CommitRequest request =
        new CommitRequest(
            piped() ? RowInput.of(System.in, name()) : RowInput.of(Path.of(file)),
            Optional.ofNullable(type),
            written.schema(),
            written.message(),
            written.metadata(),
            OptionalLong.empty(),
            OptionalLong.of(maxBatch));
    CommitResult result =
        options.withProgress(
            "writing the commit",
            progress -> commit(ledger, request, rows -> progress.accept(rows + " rows read")));
    options.print(
        result.json(),
        result
            .commit()
            .map(
                done ->
                    "commit "
                        + done.commitId()
                        + ": "
                        + LedgerFormatter.rows(done.operations())
                        + " written")
            .orElse("nothing to commit: all of it is so already"));
    return ExitCodes.OK;
  }

  private boolean piped() {
    return file.equals("-");
  }

  private String name() {
    return piped() ? "standard input" : file;
  }

  /** Commits, and names the option that allows more rows in the message of a failure. */
  private CommitResult commit(LedgerService ledger, CommitRequest request, LongConsumer progress) {
    try {
      return ledger.commit(request, progress);
    } catch (TidemarkException e) {
      if (!e.code().equals(ErrorCode.BATCH_SIZE_EXCEEDED.text())) {
        throw e;
      }
      throw new BatchSizeExceededException(name(), maxBatch, "raise --max-batch, or leave it out");
    }
  }
}
