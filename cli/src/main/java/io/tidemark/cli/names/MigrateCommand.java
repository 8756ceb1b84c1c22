// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.ProgressLine;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameService;
import io.tidemark.objects.TidemarkException;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark migrate [--apply]}. */
@Command(
    description =
        "Converts records that earlier programs left in older forms. Without --apply it only says"
            + " what it would do and writes nothing. It can be run as often as you like, also while"
            + " others work: it converts what is left, and a record that is there already stays as"
            + " it is.",
    footer = {
      "",
      "Exit code 1: something couldn't be converted; it is left, and its note says why.",
      "Exit code 5: the store couldn't be used; run it again to go on.",
      "",
      "Examples:",
      "  tidemark migrate                     What would be converted",
      "  tidemark migrate --apply             Convert it",
      "  tidemark migrate --apply --json --data s3://bucket/ledgers"
    })
public final class MigrateCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private NamesOptions options;

  @Option(names = "--apply", description = "Convert; without it, only say what would be done.")
  private boolean apply;

  @Override
  public Integer call() {
    return options.with(this::migrate);
  }

  private int migrate(NameService names) {
    MigrationReport report =
        new MigrationReport(apply ? MigrationMode.APPLY : MigrationMode.DRY_RUN);
    ProgressLine progressLine = ProgressLine.on(spec.commandLine().getErr());
    try (Stream<MigrationEntry> lines = names.migrate(report.mode())) {
      lines.forEach(
          line -> {
            report.add(line);
            progressLine.show(
                Plural.of(report.size(), "object") + " so far, the last one " + line.from());
          });
    } catch (TidemarkException e) {
      progressLine.clear();
      options.print(report.json(), report.text()); // completed work stays done
      throw e;
    }
    progressLine.clear();
    options.print(report.json(), report.text());
    return report.count(Outcome.FAILED) == 0 ? ExitCodes.OK : ExitCodes.FAILED;
  }
}
