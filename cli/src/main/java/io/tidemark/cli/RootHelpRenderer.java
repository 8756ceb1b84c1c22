// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/**
 * Renderer of the help below the options: verbs, examples, exit codes, environment. Picocli would
 * list only the verbs that are loaded.
 *
 * @param verbs all verbs
 */
record RootHelpRenderer(List<CommandDescriptor> verbs) implements IHelpSectionRenderer {

  private static final int COLUMN = 26;

  @Override
  public String render(Help help) {
    StringBuilder text = new StringBuilder();
    for (CommandDescriptor.Group group : CommandDescriptor.Group.values()) {
      list(group, help, text);
    }
    heading(text, "Examples");
    line(text, "tidemark --version", "Which Tidemark this is, and which Java runs it");
    line(text, "tidemark ledger init crm", "A new ledger in ./tidemark-data");
    line(text, "tidemark log crm", "Its commits, the newest first");
    line(text, "tidemark features --help", "What can be done with features");
    line(text, "tidemark events --help", "What can be done with events");
    line(text, "tidemark list --json", "All there is, for a program");
    line(text, "tidemark help VERB", "What a verb does and takes");
    heading(text, "Exit codes");
    line(text, "0", "Done");
    line(text, "1", "It couldn't be done, or isn't there; standard error says why");
    line(text, "2", "The command line wasn't understood");
    line(text, "3", "The types that were declared aren't those of the ledger");
    line(text, "4", "It can't be done as asked: a value, a type or the order is wrong");
    line(text, "5", "The store couldn't be reached, read or written");
    line(text, "6", "A conflict: somebody was faster, or something is there already");
    line(text, "7", "Refused, because it would do harm or the record is retracted");
    heading(text, "Environment");
    line(text, "TIDEMARK_DATA", "Where the data is, unless --data says so");
    line(text, "TIDEMARK_SERVER", "The server to ask instead, unless --server says so");
    line(text, "TIDEMARK_TOKEN", "The token for it; TIDEMARK_TOKEN_FILE names a file with it");
    line(text, "TIDEMARK_JDBC", "Where features are, unless --jdbc says so");
    line(text, "TIDEMARK_JDBC_REPLICAS", "Replicas to read, unless --replica says so");
    line(text, "TIDEMARK_AUTHOR", "Who writes features, unless --author says so");
    line(text, "PGPASSWORD", "The password for --jdbc; it can be in ~/.pgpass as well");
    line(text, "JAVA_HOME", "The Java to run; without it, the java on the PATH");
    line(text, "TIDEMARK_JAVA_OPTS", "More options for that Java, separated by spaces");
    line(text, "NO_COLOR", "When set, no colours even on a terminal");
    return text.toString();
  }

  private void list(CommandDescriptor.Group group, Help help, StringBuilder text) {
    List<CommandDescriptor> members =
        verbs.stream().filter(commandDescriptor -> commandDescriptor.group() == group).toList();
    if (members.isEmpty()) {
      return;
    }
    heading(text, group.heading());
    for (CommandDescriptor commandDescriptor : members) {
      String name = help.colorScheme().commandText(commandDescriptor.name()).toString();
      text.append("  ")
          .append(name)
          .append(" ".repeat(Math.max(1, COLUMN - commandDescriptor.name().length())));
      text.append(commandDescriptor.summary()).append(System.lineSeparator());
    }
  }

  private static void heading(StringBuilder text, String heading) {
    text.append(System.lineSeparator()).append(heading).append(':').append(System.lineSeparator());
  }

  private static void line(StringBuilder text, String left, String right) {
    text.append("  ").append(left).append(" ".repeat(COLUMN - left.length()));
    text.append(right).append(System.lineSeparator());
  }
}
