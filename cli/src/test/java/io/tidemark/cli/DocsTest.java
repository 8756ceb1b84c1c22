// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * House rules of the pages in Markdown: links lead somewhere, each page can be reached from the
 * index, no paragraph is long, decisions have one form. What the pages print is compared by {@link
 * ReadmeTest} and {@link DocsSnippetsTest}.
 */
final class DocsTest {

  private static final Path ROOT = Markdown.root();
  private static final String INDEX = "docs/README.md";

  /** A link in Markdown or HTML, or an image. */
  private static final Pattern LINK =
      Pattern.compile("\\]\\(([^)\\s]+)\\)|(?:src|srcset|href)=\"([^\"\\s]+)\"");

  /** A line that belongs to no paragraph: empty, of a table, a heading or HTML. */
  private static final Pattern BETWEEN = Pattern.compile("\\s*|[|#].*|\\s*<.*");

  private static final Pattern ITEM = Pattern.compile("\\s*([-*]|\\d+\\.) .*");

  /** A reference to documents that aren't in the repository. */
  private static final Pattern ELSEWHERE =
      Pattern.compile("\\b[Tt]he (seed|specification)\\b|\\bcases? [A-Z]\\d*\\b");

  private static final int LONGEST_PARAGRAPH = 120;
  private static final Pattern CODE = Pattern.compile("`[^`]*`");

  /** The text of a page without fenced blocks, line by line. */
  private static List<String> prose(Path page) throws IOException {
    List<String> prose = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(page)) {
      boolean fence = line.strip().startsWith("```");
      code ^= fence;
      prose.add(code || fence ? "" : line);
    }
    return prose;
  }

  /** The pages that people read: all of docs, and those of the root. */
  private static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  /** The links of a page that don't leave the repository, as they are written. */
  private static List<String> links(Path page) throws IOException {
    List<String> links = new ArrayList<>();
    for (String line : prose(page)) {
      Matcher link = LINK.matcher(CODE.matcher(line).replaceAll("code"));
      while (link.find()) {
        String target = link.group(1) == null ? link.group(2) : link.group(1);
        if (!target.matches("[a-z]+:.*")) {
          links.add(target);
        }
      }
    }
    return links;
  }

  private static Path target(Path page, String link) {
    String path = link.replaceFirst("#.*", "");
    return path.isEmpty() ? page : page.resolveSibling(path).normalize();
  }

  /** The anchors that GitHub gives the headings of a page. */
  private static Set<String> anchors(Path page) throws IOException {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    for (String line : prose(page)) {
      if (line.matches("#{1,6} .*")) {
        String heading = line.replaceFirst("#+ +", "").replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        String anchor =
            heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
        int before = seen.merge(anchor, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? anchor : anchor + "-" + before);
      }
    }
    return anchors;
  }

  @Test
  void everyLinkLeadsToAFileAndAHeadingThatExist() throws IOException {
    SoftAssertions found = new SoftAssertions();
    for (Path page : pages()) {
      for (String link : links(page)) {
        Path target = target(page, link);
        String place = ROOT.relativize(page) + ": " + link;
        found.assertThat(target).as(place).exists();
        if (link.contains("#") && Files.isRegularFile(target)) {
          found
              .assertThat(anchors(target))
              .as(place)
              .contains(link.substring(link.indexOf('#') + 1));
        }
      }
    }
    found.assertAll();
  }

  @Test
  void everyPageCanBeReachedFromTheIndex() throws IOException {
    Set<Path> reached = new HashSet<>();
    Deque<Path> next = new ArrayDeque<>(List.of(ROOT.resolve(INDEX)));
    while (!next.isEmpty()) {
      Path page = next.pop();
      if (page.toString().endsWith(".md") && Files.isRegularFile(page) && reached.add(page)) {
        for (String link : links(page)) {
          next.add(target(page, link));
        }
      }
    }
    assertThat(pages()).allMatch(reached::contains);
  }

  @Test
  void noParagraphIsLong() throws IOException {
    SoftAssertions counted = new SoftAssertions();
    for (Path page : pages()) {
      int words = 0;
      int number = 0;
      for (String line : prose(page)) {
        number++;
        boolean ends = BETWEEN.matcher(line).matches();
        int more = ends ? 0 : line.strip().split("\\s+", -1).length;
        words = ends || ITEM.matcher(line).matches() ? more : words + more;
        counted
            .assertThat(words)
            .as("words of the paragraph in %s:%d", ROOT.relativize(page), number)
            .isLessThanOrEqualTo(LONGEST_PARAGRAPH);
      }
    }
    counted.assertAll();
  }

  @Test
  void noPageRefersToDocumentsThatArentHere() throws IOException {
    SoftAssertions found = new SoftAssertions();
    for (Path page : pages()) {
      for (String line : prose(page)) {
        found
            .assertThat(ELSEWHERE.matcher(line).find())
            .as("%s: %s", ROOT.relativize(page), line)
            .isFalse();
      }
    }
    found.assertAll();
  }

  @Test
  void everyDecisionHasOneForm() throws IOException {
    Path directory = ROOT.resolve("docs/design/decisions");
    String index = Files.readString(directory.resolve("README.md"));
    SoftAssertions form = new SoftAssertions();
    try (Stream<Path> files = Files.list(directory)) {
      Predicate<Path> decision = file -> file.getFileName().toString().matches("\\d{4}-.*\\.md");
      for (Path page : files.filter(decision).sorted().toList()) {
        String name = page.getFileName().toString();
        List<String> lines = prose(page);
        form.assertThat(index).contains("](" + name + ")");
        form.assertThat(lines.get(0))
            .as(name)
            .startsWith("# " + Integer.parseInt(name.substring(0, 4)) + ". ");
        form.assertThat(lines.get(2))
            .as(name)
            .matches("- Status: (proposed|accepted|superseded by \\d+)");
        form.assertThat(lines.get(3)).as(name).matches("- Date: \\d{4}-\\d\\d-\\d\\d(; .*)?");
        form.assertThat(lines.stream().filter(line -> line.startsWith("## ")))
            .as(name)
            .containsExactly("## Context", "## Decision", "## Rejected", "## Consequences");
      }
    }
    form.assertAll();
  }
}
