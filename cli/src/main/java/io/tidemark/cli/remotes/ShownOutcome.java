// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.names.Address;
import io.tidemark.names.Ref;
import io.tidemark.remotes.Outcome;
import io.tidemark.remotes.Outcome.Created;
import io.tidemark.remotes.Outcome.Diverged;
import io.tidemark.remotes.Outcome.FastForwarded;
import io.tidemark.remotes.Outcome.NoUpstream;
import io.tidemark.remotes.Outcome.NotFound;
import io.tidemark.remotes.Outcome.Rejected;
import io.tidemark.remotes.Outcome.UpToDate;
import io.tidemark.remotes.Upstream;
import java.util.Locale;
import java.util.Optional;

/**
 * How a push or a pull ended.
 *
 * @param way which way things were to go
 * @param pair what was to be moved, and where the other is; empty when nobody said
 */
record ShownOutcome(Way way, Optional<Upstream> pair, Outcome outcome) {

  /** Which side was to move. */
  enum Way {
    PUSH,
    PULL
  }

  private static final String NEW_LINE = System.lineSeparator();

  int exitCode() {
    if (outcome instanceof Diverged || outcome instanceof Rejected) {
      return ExitCodes.CONFLICT;
    }
    if (outcome instanceof NoUpstream) {
      return ExitCodes.USAGE;
    }
    return outcome instanceof NotFound ? ExitCodes.FAILED : ExitCodes.OK;
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    pair.ifPresent(
        known ->
            json.put("local", known.local().toString())
                .put("remote", known.remote().text())
                .put("there", known.there().toString()));
    if (outcome instanceof UpToDate found) {
      both(json.put("outcome", "up_to_date"), found.local(), found.remote());
    } else if (outcome instanceof FastForwarded moved) {
      ref(json.put("outcome", "fast_forwarded"), "from", moved.from());
      copied(json, moved.to(), moved.commits(), moved.bytes());
    } else if (outcome instanceof Created made) {
      copied(json.put("outcome", "created"), made.to(), made.commits(), made.bytes());
    } else if (outcome instanceof Diverged diverged) {
      both(json.put("outcome", "diverged"), diverged.local(), diverged.remote());
      diverged
          .common()
          .ifPresentOrElse(common -> ref(json, "common", common), () -> json.putNull("common"));
    } else if (outcome instanceof Rejected rejected) {
      both(json.put("outcome", "rejected"), rejected.local(), rejected.remote());
    } else if (outcome instanceof NoUpstream none) {
      json.put("outcome", "no_upstream").put("local", none.local().toString());
    } else if (outcome instanceof NotFound none) {
      json.put("outcome", "not_found")
          .put("address", none.address().toString())
          .put("location", none.location());
    }
    return json;
  }

  private static void both(ObjectNode json, Ref local, Ref remote) {
    ref(json, "local_head", local);
    ref(json, "remote_head", remote);
  }

  private static void copied(ObjectNode json, Ref to, long commits, long bytes) {
    ref(json, "to", to);
    json.put("commits", commits).put("bytes", bytes);
  }

  private static void ref(ObjectNode json, String field, Ref ref) {
    json.putObject(field).put("id", ref.id().orElse(null)).put("t", ref.t());
  }

  String text() {
    if (outcome instanceof NoUpstream none) {
      return none.local()
          + " has no upstream; say --remote NAME, and --set-upstream to have it remembered";
    }
    if (outcome instanceof NotFound none) {
      return "there is no "
          + none.address()
          + " in "
          + Plain.line(none.location())
          + (none.address().branch().equals(Address.MAIN)
              ? "; a ledger comes before its branches, and 'fetch' shows what there is"
              : "; 'fetch' shows what there is");
    }
    Upstream known = pair.orElseThrow();
    String other = known.there() + " on " + known.remote();
    if (outcome instanceof UpToDate found) {
      return known.local() + " and " + other + ": " + upToDate(found);
    }
    String target = way == Way.PUSH ? other : known.local().toString();
    if (outcome instanceof FastForwarded moved) {
      return target
          + ": "
          + moved.from().t()
          + " -> "
          + moved.to().t()
          + copied(moved.commits(), moved.bytes());
    }
    if (outcome instanceof Created made) {
      return "made " + target + " at " + made.to().t() + copied(made.commits(), made.bytes());
    }
    if (outcome instanceof Rejected rejected) {
      return target
          + " isn't where it was last seen: "
          + at(rejected.local(), rejected.remote())
          + "; fetch, look, and try again";
    }
    return diverged(known, (Diverged) outcome);
  }

  private static String copied(long commits, long bytes) {
    return commits == 0 ? "" : " (" + commits(commits) + ", " + size(bytes) + " sent)";
  }

  private String upToDate(UpToDate found) {
    if (found.local().equals(found.remote())) {
      return "up to date, at " + found.local().t();
    }
    return (way == Way.PUSH ? "nothing to push, " : "nothing to pull, ")
        + at(found.local(), found.remote());
  }

  private static String at(Ref local, Ref remote) {
    return local.t() + " here, " + remote.t() + " there";
  }

  private static String diverged(Upstream known, Diverged diverged) {
    String told =
        known.local()
            + " and "
            + known.there()
            + " on "
            + known.remote()
            + " have diverged: "
            + at(diverged.local(), diverged.remote())
            + ", "
            + diverged
                .common()
                .map(common -> common.t() + " is the last that both have")
                .orElse("nothing that both have")
            + NEW_LINE
            + "  here    "
            + diverged.local().id().orElse("none")
            + NEW_LINE
            + "  there   "
            + diverged.remote().id().orElse("none");
    if (diverged.common().isEmpty()) {
      return told + NEW_LINE + "They are different ledgers, or only names; rename one of them.";
    }
    String name = known.local().name();
    return told
        + NEW_LINE
        + "  common  "
        + diverged.common().get().id().orElse("none")
        + NEW_LINE
        + "To bring them together, pull into a branch, merge there, and push that:"
        + NEW_LINE
        + "  tidemark pull %s:theirs --remote %s --from %s"
            .formatted(name, known.remote(), known.there())
        + NEW_LINE
        + "  tidemark merge %s %s --into theirs --apply".formatted(name, known.local().branch())
        + NEW_LINE
        + "  tidemark push %s:theirs --remote %s --to %s"
            .formatted(name, known.remote(), known.there());
  }

  static String commits(long count) {
    return count + (count == 1 ? " commit" : " commits");
  }

  /** Bytes as people read them. */
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
