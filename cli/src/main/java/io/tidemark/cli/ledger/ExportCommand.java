// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.ExportReport;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.ProgressLine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark export LEDGER --output DIR}. */
@Command(
    description =
        "Writes rows as lines of JSON, a file for each type, and their schemas. All is as of one"
            + " commit. Files of the same names are replaced.",
    footer = {
      "",
      "Examples:",
      "  tidemark export crm --output backup",
      "  tidemark export crm --output then --as-of 17 --type Customer",
      "  tidemark export crm --output then --as-of yesterday",
      "  tidemark export crm --output news --history-since 17 --with-metadata"
    })
public final class ExportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerMixin options;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      required = true,
      description = "Where to; made if it isn't there.")
  private Path output;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Only this type; can be said several times.")
  private List<String> types = List.of();

  @Mixin private AsOfOption asOf;
  @Mixin private SchemaOption schemaOf;

  @Option(
      names = "--history-since",
      paramLabel = "ID",
      description = "Every version that was written after this commit; 0 for all.")
  private @Nullable Long historySince;

  @Option(names = "--with-metadata", description = "Say in each line which commit wrote it.")
  private boolean withMetadata;

  @Override
  public Integer call() {
    if (asOf.isGiven() && historySince != null) {
      throw new ParameterException(
          spec.commandLine(), "--as-of and --history-since exclude one another; say one");
    }
    Optional<AsOf> moment = asOf.moment();
    return options.read(ledger -> export(ledger, moment));
  }

  private int export(LedgerService ledger, Optional<AsOf> moment) {
    ProgressLine progressLine = ProgressLine.on(spec.commandLine().getErr());
    ExportReport report;
    try {
      report =
          ledger
              .transfer()
              .export(
                  new ExportRequest(
                      types,
                      moment,
                      historySince == null ? OptionalLong.empty() : OptionalLong.of(historySince),
                      schemaOf.commit(ledger, moment),
                      withMetadata),
                  output,
                  rows -> progressLine.show(LedgerFormatter.rows(rows) + " written to " + output));
    } finally {
      progressLine.clear();
    }
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("output", output.toString())
            .put("commit_id", report.commitId())
            .put("total_records", report.total());
    ObjectNode counts = json.putObject("types");
    report.rows().forEach(counts::put);
    options.print(json, "Exported " + LedgerFormatter.rows(report.total()) + " to " + output + "/");
    schemaOf.note(report.schemaVersions());
    return ExitCodes.OK;
  }
}
