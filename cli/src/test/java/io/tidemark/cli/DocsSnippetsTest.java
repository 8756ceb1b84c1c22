// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Markdown.Block;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Compiles the fragments of Java in the pages below docs, each with the imports and the variables
 * that its page takes for granted, and parses their commands, which need stores and servers of
 * other kinds than a test has. {@link ReadmeTest} runs the README and the tour, {@link
 * DocsConsoleTest} the console blocks of the other pages, {@link GdalTest} the commands of GDAL.
 */
final class DocsSnippetsTest {

  /**
   * A page with fragments.
   *
   * @param imports what it takes for granted
   * @param variables the same, as fields
   */
  private record Page(String name, List<String> imports, List<String> variables) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A command of ours; one of another program, such as keytool, may have a tidemark in it. */
  private static final Pattern COMMAND =
      Pattern.compile("(?:[$] |ExecStart=)?(?:[./a-z]*/)?tidemark (.*)");

  /** The end of a command that runs in the background or prints elsewhere. */
  private static final Pattern REDIRECTED = Pattern.compile(" &$| > /dev/null$");

  private static final String CUSTOMER =
      "@io.tidemark.ledger.schema.Entity record Customer("
          + "@io.tidemark.ledger.schema.Key String id, String tier, long age) {}";

  static List<Page> pages() {
    return List.of(
        new Page(
            "docs/use-from-java.md",
            List.of("io.tidemark.Tidemark", "io.tidemark.api.ledger.*"),
            List.of()),
        new Page(
            "docs/design/events.md",
            List.of(
                "io.tidemark.events.*",
                "io.tidemark.events.model.*",
                "io.tidemark.objects.ObjectStore"),
            List.of()),
        new Page(
            "docs/design/features.md",
            List.of(
                "io.tidemark.features.*",
                "io.tidemark.features.model.*",
                "io.tidemark.features.collection.*",
                "io.tidemark.features.read.*",
                "io.tidemark.features.write.*",
                "io.tidemark.features.query.*",
                "io.tidemark.features.bulk.*",
                "io.tidemark.features.bulk.input.Input",
                "java.nio.file.Path",
                "java.util.List"),
            List.of("Features features", "Actor alice", "String geoJson")),
        new Page(
            "docs/design/ledger.md",
            List.of(
                "io.tidemark.ledger.*", "io.tidemark.ledger.internal.compact.*", "java.util.List"),
            List.of("Ledger ledger")),
        new Page("docs/design/objects.md", List.of("io.tidemark.objects.*"), List.of()),
        new Page(
            "docs/design/query.md",
            List.of(
                "static io.tidemark.ledger.query.model.Fields.field",
                "io.tidemark.ledger.*",
                "io.tidemark.ledger.internal.sql.SqlResult"),
            List.of("Ledger ledger")));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theFragmentsOfAPageCompile(Page page, @TempDir Path directory) throws IOException {
    List<Block> fragments = Markdown.read(page.name()).in("java");
    assertThat(fragments).isNotEmpty();
    for (Block fragment : fragments) {
      assertThat(errors(source(page, fragment), directory))
          .as("%s:%d", page.name(), fragment.line())
          .isEmpty();
    }
  }

  @Test
  void everyPageWithFragmentsIsHere() throws IOException {
    assertThat(
            pagesOfDocs().stream()
                .filter(name -> !name.equals(ReadmeTest.PAGE))
                .filter(name -> !Markdown.read(name).in("java").isEmpty()))
        .containsExactlyInAnyOrderElementsOf(pages().stream().map(Page::name).toList());
  }

  /** A command in a block of a page. */
  private record Shown(String place, List<String> words) {}

  private static List<Shown> commands(String page) {
    List<Shown> shown = new ArrayList<>();
    for (Block block : Markdown.read(page).blocks()) {
      for (String line : block.lines()) {
        for (String command : line.split(" [|] | && ", -1)) {
          Matcher matcher = COMMAND.matcher(REDIRECTED.matcher(command).replaceFirst(""));
          if (matcher.matches()) {
            shown.add(
                new Shown(
                    page + ":" + block.line() + ": " + command,
                    ConsoleSession.split(matcher.group(1))));
          }
        }
      }
    }
    return shown;
  }

  @Test
  void everyCommandOfThePagesIsOneThatCanBeGiven() throws IOException {
    List<Shown> shown = new ArrayList<>();
    for (String page : pagesOfDocs()) {
      if (!page.equals(ReadmeTest.PAGE)) { // which shows a verb that there isn't
        shown.addAll(commands(page));
      }
    }
    assertThat(shown).hasSizeGreaterThan(15);
    SoftAssertions parsed = new SoftAssertions();
    for (Shown each : shown) {
      CommandLine command = TidemarkCommand.completeCommandLine(CommandDescriptor.all());
      parsed
          .assertThatCode(() -> command.parseArgs(each.words().toArray(String[]::new)))
          .as(each.place())
          .doesNotThrowAnyException();
    }
    parsed.assertAll();
  }

  private static List<String> pagesOfDocs() throws IOException {
    Path root = Markdown.root();
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(name -> name.endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  private static String source(Page page, Block fragment) {
    StringBuilder source = new StringBuilder();
    page.imports().forEach(each -> source.append("import ").append(each).append(";\n"));
    source.append("class Fragment {\n").append(CUSTOMER).append('\n');
    page.variables().forEach(each -> source.append("static ").append(each).append(";\n"));
    return source
        .append("static void send(Object event, String key) {}\n")
        .append("static void fragment() throws Exception {\n")
        .append(fragment.text())
        .append("}\n}\n")
        .toString();
  }

  private static String errors(String source, Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("Fragment.java"), source);
    StringWriter errors = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-cp", ReadmeTest.classPath(), "-d", directory.toString());
      boolean compiled =
          compiler
              .getTask(errors, files, null, options, null, files.getJavaFileObjects(file))
              .call();
      return compiled ? "" : errors.toString();
    }
  }
}
