// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.Damage;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.api.ledger.VerifyListener;
import io.tidemark.api.ledger.VerifyProgress;
import io.tidemark.api.ledger.VerifyReport;
import io.tidemark.api.ledger.VerifyRequest;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.ProgressLine;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.ledger.internal.verify.InvalidCursorException;
import io.tidemark.ledger.internal.verify.VerificationCursor;
import io.tidemark.objects.TidemarkException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code tidemark verify LEDGER}. */
@Command(
    description =
        "Verifies that every manifest, data file and snapshot of a ledger is as it was written, on"
            + " all branches. Without --deep it reads the manifests and looks whether the files"
            + " exist and have their size. Changes nothing.",
    footer = {
      "",
      "An interrupted run prints a cursor; --after goes on from there, and leaves out",
      "what was written since.",
      "",
      "Exit code 4: something is damaged; each line names a key, what was expected",
      "and what was found.",
      "",
      "Examples:",
      "  tidemark verify crm",
      "  tidemark verify crm --deep",
      "  tidemark verify crm --deep --after main@120"
    })
public final class VerifyCommand implements Callable<Integer> {

  @Mixin private LedgerMixin options;

  @Option(names = "--deep", description = "Read all files and compare their SHA-256.")
  private boolean deep;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      converter = CursorConverter.class,
      description = "Go on where an interrupted run stopped.")
  private @Nullable VerificationCursor after;

  private volatile Optional<String> reached = Optional.empty();

  /** Reads a cursor. */
  static final class CursorConverter implements ITypeConverter<VerificationCursor> {
    @Override
    public VerificationCursor convert(String text) {
      try {
        return VerificationCursor.parse(text);
      } catch (InvalidCursorException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  @Override
  public Integer call() {
    reached = Optional.ofNullable(after).map(VerificationCursor::text);
    return options.write(
        limit -> printCursor(),
        ledger -> {
          try {
            return verify(ledger.maintenance());
          } catch (TidemarkException e) {
            printCursor();
            throw e;
          }
        });
  }

  private int verify(LedgerMaintenance maintenance) {
    ProgressLine progressLine = options.progress();
    VerifyListener listener =
        new VerifyListener() {
          @Override
          public void progress(VerifyProgress now) {
            reached = now.cursor();
            progressLine.show(shown(now));
          }

          @Override
          public void found(Damage damage) {
            if (!options.json()) {
              progressLine.clear();
              options.out().println(TerminalEscaping.escapeLine(damage.text()));
            }
          }
        };
    VerifyReport report;
    try {
      report = maintenance.verify(new VerifyRequest(deep, reached), listener);
    } finally {
      progressLine.clear();
    }
    options.print(WireJson.tree(report), text(report));
    return report.ok() ? ExitCodes.OK : ExitCodes.EXECUTION;
  }

  private static String shown(VerifyProgress now) {
    return now.commits()
        + " of "
        + Plural.of(now.ofCommits(), "commit")
        + ", "
        + (now.bytes() >> 20)
        + " MB read, "
        + now.damaged()
        + " damaged";
  }

  private static String text(VerifyReport report) {
    String verified =
        String.join(
            ", ",
            Plural.of(report.commits(), "commit"),
            Plural.of(report.files(), "file"),
            Plural.of(report.snapshots(), "snapshot"));
    return report.ok()
        ? "verified " + verified + ": nothing is damaged"
        : "verified "
            + verified
            + ": "
            + report.damaged()
            + " damaged; restore these keys from a copy of the store";
  }

  private void printCursor() {
    reached.ifPresent(
        cursor -> {
          options.err().println("tidemark: not finished; go on with --after " + cursor);
          options.err().flush();
        });
  }
}
