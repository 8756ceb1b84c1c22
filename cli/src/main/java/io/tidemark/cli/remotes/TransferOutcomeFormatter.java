// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.api.remotes.TransferResult;
import io.tidemark.api.remotes.TransferResult.Created;
import io.tidemark.api.remotes.TransferResult.Diverged;
import io.tidemark.api.remotes.TransferResult.FastForwarded;
import io.tidemark.api.remotes.TransferResult.NoUpstream;
import io.tidemark.api.remotes.TransferResult.NotFound;
import io.tidemark.api.remotes.TransferResult.Rejected;
import io.tidemark.api.remotes.TransferResult.UpToDate;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.names.Address;
import io.tidemark.names.Ref;
import java.util.Locale;

/**
 * Text and exit code of the result of a push or a pull.
 *
 * @param way direction of the transfer
 */
record TransferOutcomeFormatter(Direction way, TransferResult result) {

  /** Direction of a transfer. */
  enum Direction {
    PUSH,
    PULL
  }

  private static final String NEW_LINE = System.lineSeparator();

  int exitCode() {
    if (result instanceof Diverged || result instanceof Rejected) {
      return ExitCodes.CONFLICT;
    } else if (result instanceof NoUpstream) {
      return ExitCodes.USAGE;
    }
    return result instanceof NotFound ? ExitCodes.FAILED : ExitCodes.OK;
  }

  String text() {
    if (result instanceof UpToDate found) {
      return local() + " and " + on(found.remote(), found.there()) + ": " + upToDate(found);
    } else if (result instanceof FastForwarded moved) {
      return target(moved.remote(), moved.there())
          + (": " + moved.from().t() + " -> " + moved.to().t())
          + copied(moved.commits(), moved.bytes());
    } else if (result instanceof Created made) {
      return "made "
          + target(made.remote(), made.there())
          + (" at " + made.to().t())
          + copied(made.commits(), made.bytes());
    } else if (result instanceof Diverged diverged) {
      return diverged(diverged);
    } else if (result instanceof Rejected rejected) {
      return target(rejected.remote(), rejected.there())
          + " isn't where it was last seen: "
          + heads(rejected.localHead(), rejected.remoteHead())
          + "; fetch, look, and try again";
    } else if (result instanceof NotFound missing) {
      return notFound(missing);
    }
    return local()
        + " has no upstream; say --remote NAME, and --set-upstream to have it remembered";
  }

  private String local() {
    return TerminalEscaping.escapeLine(result.local());
  }

  private static String on(String remote, String there) {
    return TerminalEscaping.escapeLine(there + " on " + remote);
  }

  /** Returns the side that was to move. */
  private String target(String remote, String there) {
    return way == Direction.PUSH ? on(remote, there) : local();
  }

  private static String notFound(NotFound missing) {
    return "there is no "
        + TerminalEscaping.escapeLine(missing.address() + " in " + missing.location())
        + (missing.address().endsWith(":" + Address.MAIN)
            ? "; a ledger comes before its branches, and 'fetch' shows what there is"
            : "; 'fetch' shows what there is");
  }

  private static String copied(long commits, long bytes) {
    return commits == 0 ? "" : " (" + commits(commits) + ", " + size(bytes) + " sent)";
  }

  private String upToDate(UpToDate found) {
    if (found.localHead().equals(found.remoteHead())) {
      return "up to date, at " + found.localHead().t();
    }
    return (way == Direction.PUSH ? "nothing to push, " : "nothing to pull, ")
        + heads(found.localHead(), found.remoteHead());
  }

  private static String heads(Ref local, Ref remote) {
    return local.t() + " here, " + remote.t() + " there";
  }

  private static String id(Ref head) {
    return TerminalEscaping.escapeLine(head.id().orElse("none"));
  }

  private String diverged(Diverged found) {
    String told =
        local()
            + " and "
            + on(found.remote(), found.there())
            + " have diverged: "
            + heads(found.localHead(), found.remoteHead())
            + ", "
            + found
                .common()
                .map(common -> common.t() + " is the last that both have")
                .orElse("nothing that both have")
            + NEW_LINE
            + "  here    "
            + id(found.localHead())
            + NEW_LINE
            + "  there   "
            + id(found.remoteHead());
    if (found.common().isEmpty()) {
      return told
          + NEW_LINE
          + "They are different ledgers, or only names. Rename one of them; or fetch and then push,"
          + " to replace a name there.";
    }
    Address local = Address.parse(found.local());
    String remote = TerminalEscaping.escapeLine(found.remote());
    String there = TerminalEscaping.escapeLine(found.there());
    return told
        + NEW_LINE
        + "  common  "
        + id(found.common().get())
        + NEW_LINE
        + "To bring them together, pull into a branch, merge there, and push that:"
        + NEW_LINE
        + "  tidemark pull %s:theirs --remote %s --from %s".formatted(local.name(), remote, there)
        + NEW_LINE
        + "  tidemark merge %s %s --into theirs --apply".formatted(local.name(), local.branch())
        + NEW_LINE
        + "  tidemark push %s:theirs --remote %s --to %s".formatted(local.name(), remote, there);
  }

  static String commits(long count) {
    return count + (count == 1 ? " commit" : " commits");
  }

  /** Formats a size in bytes for people. */
  static String size(long bytes) {
    if (bytes < 1_000) {
      return bytes + " B";
    }
    double value = bytes;
    String unit = "";
    for (String next : new String[] {"kB", "MB", "GB", "TB"}) {
      if (value >= 1_000) {
        value /= 1_000;
        unit = next;
      }
    }
    return String.format(Locale.ROOT, "%.1f %s", value, unit);
  }
}
