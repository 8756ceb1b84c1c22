// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Reference pages that are generated: the command from its picocli model, the operations over HTTP
 * from the description of the API. With the system property {@code docs.update} they are written
 * anew.
 */
final class ReferencePagesTest {

  private static final Path ROOT = Markdown.root();
  private static final String BEGIN = "<!-- generated, see ReferencePagesTest -->";

  /** Options of at least this many commands are listed once. */
  private static final int COMMON = 20;

  @Test
  void theReferenceOfTheCommandHasEveryVerbAndOption() throws IOException {
    holds("docs/reference/cli.md", commandReference());
  }

  @Test
  void theReferenceOfTheApiHasEveryOperation() throws IOException {
    holds("docs/reference/http.md", operations());
  }

  @Test
  void theReferenceOfTheConfigurationHasEveryVariable() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/reference/configuration.md"));
    assertThat(page).contains("`", "TIDEMARK_DATA");
    assertThat(variables()).isNotEmpty().allSatisfy(name -> assertThat(page).contains("`" + name));
  }

  /** Holds the end of a page to what is generated. */
  private static void holds(String page, String generated) throws IOException {
    Path file = ROOT.resolve(page);
    String text = Files.readString(file);
    int begin = text.indexOf(BEGIN);
    assertThat(begin).as(page).isNotNegative();
    String expected = text.substring(0, begin) + BEGIN + "\n\n" + generated;
    if (System.getProperty("docs.update") != null) {
      Files.writeString(file, expected);
    } else {
      assertThat(text).as("%s; run this test with -Ddocs.update", page).isEqualTo(expected);
    }
  }

  private static String commandReference() {
    Map<CommandDescriptor, List<CommandSpec>> commands = new LinkedHashMap<>();
    Map<String, CommandLine> whole =
        TidemarkCommand.completeCommandLine(CommandDescriptor.all()).getSubcommands();
    for (CommandDescriptor commandDescriptor : CommandDescriptor.all()) {
      commands.put(
          commandDescriptor,
          all(Objects.requireNonNull(whole.get(commandDescriptor.name()))).toList());
    }
    Set<String> common = common(commands.values().stream().flatMap(List::stream).toList());
    StringBuilder text = new StringBuilder("## Common options\n\n| option | |\n|---|---|\n");
    common.forEach(text::append);
    for (CommandDescriptor.Group group : CommandDescriptor.Group.values()) {
      text.append("\n## ").append(group.heading()).append('\n');
      commands.forEach(
          (commandDescriptor, specs) -> {
            if (commandDescriptor.group() == group) {
              specs.forEach(command -> describe(command, common, text));
            }
          });
    }
    return text.toString();
  }

  /** The rows of options that many commands have. */
  private static Set<String> common(List<CommandSpec> commands) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (CommandSpec command : commands) {
      command.options().forEach(option -> counts.merge(row(option), 1, Integer::sum));
    }
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() >= COMMON)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** A command and those below it. */
  private static Stream<CommandSpec> all(CommandLine command) {
    return Stream.concat(
        Stream.of(command.getCommandSpec()),
        new LinkedHashSet<>(command.getSubcommands().values())
            .stream().flatMap(ReferencePagesTest::all));
  }

  private static void describe(CommandSpec command, Set<String> common, StringBuilder text) {
    text.append("\n### ").append(command.qualifiedName()).append("\n\n");
    text.append(paragraphs(command.usageMessage().description())).append("\n");
    String synopsis = command.commandLine().getHelp().synopsis(0).replaceAll("\\s+", " ").strip();
    text.append("\n`").append(plain(synopsis)).append("`\n");
    String rows =
        Stream.concat(
                command.positionalParameters().stream()
                    .filter(parameter -> !parameter.hidden())
                    .map(ReferencePagesTest::row),
                command.options().stream()
                    .filter(option -> !option.hidden())
                    .map(ReferencePagesTest::row)
                    .filter(row -> !common.contains(row)))
            .distinct()
            .collect(Collectors.joining());
    if (!rows.isEmpty()) {
      text.append("\n| argument | |\n|---|---|\n").append(rows);
    }
  }

  private static String row(OptionSpec option) {
    String names = Arrays.stream(option.names()).collect(Collectors.joining(", "));
    String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
    return row(names + label, option);
  }

  private static String row(PositionalParamSpec parameter) {
    return row(parameter.paramLabel(), parameter);
  }

  private static String row(String name, ArgSpec argument) {
    String cell = escaped(plain(String.join(" ", argument.description())));
    return "| `" + cell(plain(name)) + "` | " + cell(cell) + " |\n";
  }

  /** A pipe ends a cell, in code too. */
  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String paragraphs(String... lines) {
    return escaped(plain(String.join(" ", lines))).replaceAll("\\s+", " ").strip();
  }

  private static String plain(String text) {
    return Ansi.OFF.string(text).replace("%n", " ").replace("%%", "%");
  }

  private static String escaped(String text) {
    return text.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_");
  }

  /** The operations of the description, by their tags. */
  private static String operations() throws IOException {
    Map<String, StringBuilder> byTag = new LinkedHashMap<>();
    Map<String, String> tags = new LinkedHashMap<>();
    String path = "";
    String method = "";
    String tag = "";
    Pattern summary = Pattern.compile(" {6}summary: ['\"]?(.*?)['\"]?");
    String previous = "";
    for (String line : Files.readAllLines(description())) {
      if (previous.startsWith("  - name: ") && line.startsWith("    description: ")) {
        tags.put(previous.substring(10), line.substring(17));
      } else if (line.matches(" {2}/.*:")) {
        path = line.strip().replaceFirst(":$", "");
      } else if (line.matches(" {4}(get|put|post|patch|delete|head):")) {
        method = line.strip().replace(":", "").toUpperCase(Locale.ROOT);
      } else if (line.startsWith("      tags: [")) {
        tag = line.substring(13).replace("]", "").strip();
      }
      Matcher matcher = summary.matcher(line);
      if (matcher.matches()) {
        byTag
            .computeIfAbsent(tag, unused -> new StringBuilder())
            .append("| `%s %s` | %s |\n".formatted(method, path, escaped(matcher.group(1))));
      }
      previous = line;
    }
    StringBuilder text = new StringBuilder();
    tags.forEach(
        (name, about) ->
            text.append("## ")
                .append(name)
                .append("\n\n")
                .append(escaped(about))
                .append(".\n\n| request | |\n|---|---|\n")
                .append(byTag.getOrDefault(name, new StringBuilder()))
                .append('\n'));
    return text.toString().strip() + "\n";
  }

  private static Path description() {
    return ROOT.resolve("server/src/main/resources/io/tidemark/server/openapi.yaml");
  }

  /** The environment variables that the sources of the product read. */
  private static Set<String> variables() throws IOException {
    Set<String> found = new LinkedHashSet<>();
    Pattern variable = Pattern.compile("TIDEMARK_[A-Z_]*[A-Z]");
    for (String module : List.of("cli", "client", "names", "objects", "server", "embed")) {
      try (Stream<Path> sources = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
          Matcher matcher = variable.matcher(Files.readString(source));
          while (matcher.find()) {
            found.add(matcher.group());
          }
        }
      }
    }
    return found;
  }
}
