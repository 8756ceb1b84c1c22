// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.names.Address;
import java.util.Locale;

/**
 * How a push or a pull ended, in words.
 *
 * @param way which way things were to go
 * @param json what was to be moved, where the other is, and the outcome
 */
record ShownOutcome(Way way, JsonNode json) {

  /** Which side was to move. */
  enum Way {
    PUSH,
    PULL
  }

  private static final String NEW_LINE = System.lineSeparator();

  private String member(String name) {
    return Plain.line(json.path(name).asText());
  }

  private long t(String head) {
    return json.path(head).path("t").asLong();
  }

  private String id(String head) {
    return Plain.line(json.path(head).path("id").asText("none"));
  }

  int exitCode() {
    return switch (member("outcome")) {
      case "diverged", "rejected" -> ExitCodes.CONFLICT;
      case "no_upstream" -> ExitCodes.USAGE;
      case "not_found" -> ExitCodes.FAILED;
      default -> ExitCodes.OK;
    };
  }

  String text() {
    String other = member("there") + " on " + member("remote");
    String target = way == Way.PUSH ? other : member("local");
    return switch (member("outcome")) {
      case "no_upstream" ->
          member("local")
              + " has no upstream; say --remote NAME, and --set-upstream to have it remembered";
      case "not_found" -> notFound();
      case "up_to_date" -> member("local") + " and " + other + ": " + upToDate();
      case "fast_forwarded" -> target + ": " + t("from") + " -> " + t("to") + copied();
      case "created" -> "made " + target + " at " + t("to") + copied();
      case "rejected" ->
          target + " isn't where it was last seen: " + heads() + "; fetch, look, and try again";
      default -> diverged(other);
    };
  }

  private String notFound() {
    return "there is no "
        + member("address")
        + " in "
        + member("location")
        + (member("address").endsWith(":" + Address.MAIN)
            ? "; a ledger comes before its branches, and 'fetch' shows what there is"
            : "; 'fetch' shows what there is");
  }

  private String copied() {
    long commits = json.path("commits").asLong();
    return commits == 0
        ? ""
        : " (" + commits(commits) + ", " + size(json.path("bytes").asLong()) + " sent)";
  }

  private String upToDate() {
    if (json.path("local_head").equals(json.path("remote_head"))) {
      return "up to date, at " + t("local_head");
    }
    return (way == Way.PUSH ? "nothing to push, " : "nothing to pull, ") + heads();
  }

  private String heads() {
    return t("local_head") + " here, " + t("remote_head") + " there";
  }

  private String diverged(String other) {
    boolean related = json.path("common").isObject();
    String told =
        member("local")
            + " and "
            + other
            + " have diverged: "
            + heads()
            + ", "
            + (related ? t("common") + " is the last that both have" : "nothing that both have")
            + NEW_LINE
            + "  here    "
            + id("local_head")
            + NEW_LINE
            + "  there   "
            + id("remote_head");
    if (!related) {
      return told
          + NEW_LINE
          + "They are different ledgers, or only names. Rename one of them; or fetch and then push,"
          + " to replace a name there.";
    }
    Address local = Address.parse(member("local"));
    return told
        + NEW_LINE
        + "  common  "
        + id("common")
        + NEW_LINE
        + "To bring them together, pull into a branch, merge there, and push that:"
        + NEW_LINE
        + "  tidemark pull %s:theirs --remote %s --from %s"
            .formatted(local.name(), member("remote"), member("there"))
        + NEW_LINE
        + "  tidemark merge %s %s --into theirs --apply".formatted(local.name(), local.branch())
        + NEW_LINE
        + "  tidemark push %s:theirs --remote %s --to %s"
            .formatted(local.name(), member("remote"), member("there"));
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
