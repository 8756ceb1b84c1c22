// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Markdown.Block;
import io.tidemark.cli.Markdown.Command;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the README from top to bottom, in one directory: the commands of its tour, and then its
 * programs in Java on the data that the tour left behind. What differs from run to run, such as
 * times and ids, is left out of the comparison; so are the widths of columns.
 *
 * <p>Features need a PostgreSQL of one's own and the server a process that stays; what their
 * sections show is tested by {@code ClusterVerbsTest}, {@code FeatureVerbsTest} and {@code
 * ServeVerbTest}.
 */
final class ReadmeTest {

  private static final List<String> TOUR = List.of("Names", "A ledger", "Events", "For scripts");
  private static final String VERB = "./tidemark ";

  /** A word of a shell's, whose parts may be quoted. */
  private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

  private static final Pattern PART = Pattern.compile("'[^']*'|\"[^\"]*\"|[^'\"]+");

  /** Names of files and directories in the tour. */
  private static final Pattern FILE = Pattern.compile("[a-z]+[.]jsonl?|then");

  private static final Pattern FILE_SHOWN = Pattern.compile("cat ([a-z.]+)");

  private static final List<String[]> CHANGING =
      List.of(
          new String[] {"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+(Z|[+-]\\d\\d:\\d\\d)", "TIME"},
          new String[] {"\\([A-Za-z]+(/[A-Za-z_]+)*\\)$", "(ZONE)"},
          new String[] {"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"},
          new String[] {"baga[a-z2-7]{20,}", "ID"},
          new String[] {"--token [A-Za-z0-9_=-]+", "--token TOKEN"},
          new String[] {" +", " "},
          new String[] {" +$", ""});

  @TempDir private Path temporary;

  private int exitCode;

  @Test
  void theTourAndTheProgramsDoWhatTheReadmeShows() throws Exception {
    Path directory = temporary.toRealPath();
    Markdown readme = Markdown.read("README.md");
    List<Command> commands = TOUR.stream().flatMap(each -> readme.commands(each).stream()).toList();
    assertThat(commands).hasSizeGreaterThan(50);
    SoftAssertions compared = new SoftAssertions();
    for (Command command : commands) {
      compared
          .assertThat(plain(run(directory, command), directory))
          .as("README.md:%d: %s", command.line(), command.text())
          .isEqualTo(plain(command.output(), Path.of("/home/ann/tidemark")));
    }
    for (Program program : programs(readme)) {
      compared
          .assertThat(plain(program.run(directory), directory))
          .as("README.md:%d", program.source().line())
          .isEqualTo(plain(program.output(), directory));
    }
    compared.assertAll();
  }

  private static String plain(List<String> lines, Path directory) {
    return lines.stream().map(line -> plain(line, directory)).collect(Collectors.joining("\n"));
  }

  private static String plain(String line, Path directory) {
    String plain =
        line.replace(" --data " + directory + "/tidemark-data", "")
            .replace(directory + "/then", "then")
            .replace(directory.toString(), "DIRECTORY");
    for (String[] each : CHANGING) {
      plain = plain.replaceAll(each[0], each[1]);
    }
    return plain;
  }

  /** Runs a command as a shell would: the verbs in this process, everything else by bash. */
  private List<String> run(Path directory, Command command) throws Exception {
    Matcher file = FILE_SHOWN.matcher(command.text());
    if (file.matches()) {
      String text = String.join("\n", command.output()) + "\n";
      Files.writeString(directory.resolve(file.group(1)), text);
    }
    if (command.text().equals("echo $?")) {
      return List.of(Integer.toString(exitCode));
    }
    int at = command.text().indexOf(VERB);
    if (at < 0) {
      return run(directory, List.of("bash", "-c", command.text()));
    }
    String before = command.text().substring(0, at).replaceFirst(" \\| $", "");
    List<String> input =
        before.isEmpty() ? List.of() : run(directory, List.of("bash", "-c", before));
    List<String> words = words(command.text().substring(at + VERB.length()), directory);
    List<String> output = verb(directory, words, String.join("\n", input));
    while (words.contains("claim") && output.equals(List.of("nothing to do"))) {
      output = verb(directory, words, ""); // what was released is there again after half a second
    }
    return command.text().endsWith("> /dev/null") ? List.of() : output;
  }

  /** The words of a command line, where names of files are below the directory. */
  private static List<String> words(String text, Path directory) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(text.replaceFirst(" > /dev/null$", ""));
    while (matcher.find()) {
      boolean quoted = matcher.group().matches("['\"].*");
      String plain =
          PART.matcher(matcher.group())
              .results()
              .map(part -> part.group().replaceFirst("(?s)^(['\"])(.*)\\1$", "$2"))
              .collect(Collectors.joining());
      words.add(!quoted && FILE.matcher(plain).matches() ? directory + "/" + plain : plain);
    }
    return words;
  }

  private List<String> verb(Path directory, List<String> words, String input) {
    List<String> all = new ArrayList<>(words);
    if (!words.get(0).equals("hlep")) {
      all.addAll(List.of("--data", directory.resolve("tidemark-data").toString()));
    }
    if (words.get(0).equals("query") || words.get(0).equals("sql")) {
      all.addAll(List.of("--cache", directory.resolve("cache").toString()));
    }
    InputStream usual = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    try {
      StringWriter out = new StringWriter();
      PrintWriter printer = new PrintWriter(out, true);
      exitCode = Tidemark.run(Verb.all(), printer, printer, all.toArray(String[]::new));
      return out.toString().lines().toList();
    } finally {
      System.setIn(usual);
    }
  }

  /** A program in Java, with what it prints. */
  private record Program(Block source, List<String> output) {

    List<String> run(Path directory) throws IOException, InterruptedException {
      Matcher name = Pattern.compile("public class (\\w+)").matcher(source.text());
      assertThat(name.find()).as("README.md:%d is a whole program", source.line()).isTrue();
      Path file = directory.resolve(name.group(1) + ".java");
      Files.writeString(file, source.text());
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      int failed =
          compiler.run(
              null, null, null, "-cp", classPath(), "-d", directory.toString(), file.toString());
      assertThat(failed).as("javac of README.md:%d", source.line()).isZero();
      String path = directory + ":" + classPath();
      return ReadmeTest.run(directory, List.of(java(), "-cp", path, name.group(1)));
    }
  }

  /** Each is followed by the block with its output. */
  private static List<Program> programs(Markdown readme) {
    List<Program> programs = new ArrayList<>();
    List<Block> blocks = readme.blocks();
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i).language().equals("java")) {
        assertThat(blocks.get(i + 1).language()).isEqualTo("text");
        programs.add(new Program(blocks.get(i), blocks.get(i + 1).lines()));
      }
    }
    assertThat(programs).hasSize(4);
    return programs;
  }

  private static List<String> run(Path directory, List<String> words)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
    builder.environment().put("XDG_CACHE_HOME", directory.resolve("cache").toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("TIDEMARK_"));
    Path errors = directory.resolve("errors");
    Process process = builder.redirectError(errors.toFile()).start();
    process.getOutputStream().close();
    List<String> lines;
    try (Stream<String> out =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()) {
      lines = out.toList();
    }
    assertThat(process.waitFor()).as("%s: %s", words, Files.readString(errors)).isZero();
    return lines;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path", "");
    return surefire.isEmpty() ? System.getProperty("java.class.path") : surefire;
  }
}
