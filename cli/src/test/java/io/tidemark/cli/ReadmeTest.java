// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Markdown.Block;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * Follows the start in the README, and the tour from top to bottom in one directory: its commands,
 * and then its programs in Java on the data that the commands left behind.
 */
final class ReadmeTest {

  static final String PAGE = "docs/tour.md";

  /** The sections with commands. The first block of the tour shows versions of the machine. */
  private static final List<String> TOUR =
      List.of("Names", "A ledger", "Features", "Events", "For scripts", "A server");

  private Path directory;

  /** Not one of JUnit's: those can be entered only by whoever runs the tests, as root by nobody. */
  @BeforeEach
  void directory() throws IOException {
    directory = Files.createTempDirectory("tidemark-readme-").toRealPath();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void remove() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void theStartDoesWhatTheReadmeShows() throws Exception {
    Markdown readme = Markdown.read("README.md");
    assertThat(readme.blocks()).allMatch(block -> block.language().equals("console"));
    SoftAssertions compared = new SoftAssertions();
    try (ConsoleSession console = new ConsoleSession(directory)) {
      console.follow("README.md", Markdown.commands(readme.blocks()), compared);
    }
    compared.assertAll();
  }

  @Test
  void theReadmeCanBeReadInOneGo() throws IOException {
    assertThat(Files.readAllLines(Markdown.root().resolve("README.md")))
        .hasSizeLessThanOrEqualTo(200);
  }

  @Test
  void theCommandsAndTheProgramsDoWhatTheTourShows() throws Exception {
    Markdown tour = Markdown.read(PAGE);
    assertThat(tour.in("console").stream().map(Block::section).distinct())
        .as("sections whose commands are run, or shown only")
        .containsExactlyElementsOf(Stream.concat(Stream.of("Tour"), TOUR.stream()).toList());
    SoftAssertions compared = new SoftAssertions();
    try (ConsoleSession console = new ConsoleSession(directory)) {
      List<Block> followed =
          tour.in("console").stream().filter(block -> TOUR.contains(block.section())).toList();
      console.follow(PAGE, Markdown.commands(followed), compared);
      for (Program program : programs(tour)) {
        compared
            .assertThat(console.plain(program.run(console)))
            .as("%s:%d", PAGE, program.source().line())
            .isEqualTo(console.plain(program.output()));
      }
    }
    compared.assertAll();
  }

  @Test
  void theDependenciesForMavenAreModulesOfThisVersion() throws Exception {
    String parent = Files.readString(Markdown.root().resolve("pom.xml"));
    Matcher version =
        Pattern.compile("<artifactId>tidemark</artifactId>\\s*<version>([^<]+)<").matcher(parent);
    assertThat(version.find()).isTrue();
    List<Block> blocks = Markdown.read(PAGE).in("xml");
    assertThat(blocks).isNotEmpty();
    for (Block block : blocks) {
      NodeList dependencies = dependencies(block);
      assertThat(dependencies.getLength()).as("%s:%d", PAGE, block.line()).isPositive();
      for (int i = 0; i < dependencies.getLength(); i++) {
        Element dependency = (Element) dependencies.item(i);
        String artifact = text(dependency, "artifactId");
        Path module = Markdown.root().resolve(artifact.replaceFirst("^tidemark-", ""));
        assertThat(module.resolve("pom.xml"))
            .content()
            .contains("<artifactId>" + artifact + "</artifactId>");
        assertThat(text(dependency, "groupId")).isEqualTo("io.tidemark");
        assertThat(text(dependency, "version")).isEqualTo(version.group(1));
      }
    }
  }

  private static NodeList dependencies(Block block) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader("<all>" + block.text() + "</all>")))
        .getElementsByTagName("dependency");
  }

  private static String text(Element parent, String name) {
    return parent.getElementsByTagName(name).item(0).getTextContent();
  }

  /** A program in Java, with what it prints. */
  private record Program(Block source, List<String> output) {

    List<String> run(ConsoleSession console) throws IOException, InterruptedException {
      Matcher name = Pattern.compile("public class (\\w+)").matcher(source.text());
      assertThat(name.find()).as("%s:%d is a whole program", PAGE, source.line()).isTrue();
      Path directory = console.directory();
      Path file = directory.resolve(name.group(1) + ".java");
      Files.writeString(file, source.text());
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      int failed =
          compiler.run(
              null, null, null, "-cp", classPath(), "-d", directory.toString(), file.toString());
      assertThat(failed).as("javac of %s:%d", PAGE, source.line()).isZero();
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      return console.run(List.of(java, "-cp", directory + ":" + classPath(), name.group(1)));
    }
  }

  /** Each is followed by the block with its output. */
  private static List<Program> programs(Markdown tour) {
    List<Program> programs = new ArrayList<>();
    List<Block> blocks = tour.blocks();
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i).language().equals("java")) {
        assertThat(blocks.get(i + 1).language()).isEqualTo("text");
        programs.add(new Program(blocks.get(i), blocks.get(i + 1).lines()));
      }
    }
    assertThat(programs).hasSize(4);
    return programs;
  }

  static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path", "");
    return surefire.isEmpty() ? System.getProperty("java.class.path") : surefire;
  }
}
