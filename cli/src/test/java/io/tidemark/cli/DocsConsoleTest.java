// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Markdown.Block;
import io.tidemark.cli.Markdown.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Follows the console blocks of the pages in {@code docs/}, in the order they stand, in an empty
 * directory, and compares what the commands print. {@link ReadmeTest} follows the README and the
 * tour.
 */
final class DocsConsoleTest {

  /**
   * A page that is followed.
   *
   * @param before commands that the page takes for granted
   */
  private record Page(String name, List<String> before) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Why the commands of a page are only parsed, which {@link DocsSnippetsTest} does. */
  private static final Map<String, String> NOT_FOLLOWED =
      Map.of(
          "docs/dynamodb.md", "its tables are in AWS, and no location has credentials",
          "docs/operating.md", "it shows servers in the foreground, and keys of a company",
          "docs/tour.md", "ReadmeTest follows it");

  private static final String ROW =
      "{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"fields\":"
          + "{\"id\":\"c1\",\"tier\":\"Gold\",\"age\":30}}";

  static List<Page> pages() {
    return List.of(
        new Page("docs/ask-the-past.md", List.of()),
        new Page("docs/back-up-and-restore.md", List.of()),
        new Page("docs/branch-review-merge.md", List.of()),
        new Page("docs/keep-feature-history.md", List.of()),
        new Page("docs/keep-history.md", List.of()),
        new Page("docs/migrate.md", List.of()),
        new Page("docs/publish-events.md", List.of()),
        new Page("docs/run-a-server.md", List.of()),
        new Page("docs/share-between-stores.md", List.of()),
        new Page("docs/design/events.md", List.of()),
        new Page(
            "docs/design/query.md",
            List.of(
                "echo '[{\"entity\":\"Customer\",\"key\":\"id\",\"fields\":{\"id\":\"string\","
                    + "\"tier\":\"string\",\"age\":\"long\"}}]' > types.json",
                "echo '" + ROW + "' > rows.jsonl",
                "./tidemark ledger init crm",
                "./tidemark commit crm rows.jsonl --schema types.json")));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theCommandsOfAPageDoWhatItShows(Page page, @TempDir Path directory) throws Exception {
    List<Command> commands = Markdown.commands(Markdown.read(page.name()).in("console"));
    assertThat(commands).isNotEmpty();
    // The user of PostgreSQL has to get in.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    SoftAssertions compared = new SoftAssertions();
    try (ConsoleSession console = new ConsoleSession(directory.toRealPath())) {
      for (String command : page.before()) {
        List<String> unused = console.run(new Command(0, command, List.of()));
      }
      console.follow(page.name(), commands, compared);
    }
    compared.assertAll();
  }

  @Test
  void everyPageWithCommandsIsFollowedUnlessThatIsImpossible() throws IOException {
    Path root = Markdown.root();
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      assertThat(
              files
                  .map(file -> root.relativize(file).toString())
                  .filter(name -> name.endsWith(".md"))
                  .filter(name -> !blocks(name).isEmpty()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(pages().stream().map(Page::name), NOT_FOLLOWED.keySet().stream())
                  .toList());
    }
  }

  private static List<Block> blocks(String page) {
    return Markdown.read(page).in("console");
  }
}
