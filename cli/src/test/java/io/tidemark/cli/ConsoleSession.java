// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Markdown.Command;
import io.tidemark.testkit.process.ChildJvm;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;

/**
 * Runs the commands of console blocks one after the other in a directory: the verbs of {@code
 * tidemark} in this process, but for the server, {@code curl} by a client of Java's, and everything
 * else by bash. Values that differ from run to run, such as times and ids, are left out of the
 * comparison, and so are the widths of columns. Where a later command repeats such a value, it is
 * given the one of this run.
 */
final class ConsoleSession implements AutoCloseable {

  private static final boolean UPDATE = System.getProperty("docs.update") != null;
  private static final String VERB = "./tidemark ";
  private static final Path SHOWN = Path.of("/home/ann/tidemark");

  /** A word of a shell's, whose parts may be quoted. */
  private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

  private static final Pattern PART = Pattern.compile("'[^']*'|\"[^\"]*\"|[^'\"]+");

  /** Names of files and directories in the commands. */
  private static final Pattern FILE =
      Pattern.compile(
          "[a-z0-9]+[.](jsonl?|geojson|csv|parquet)|then|monday|[.]/(elsewhere|backup)");

  /** Files of the repository, as if the commands were given in its root. */
  private static final String EXAMPLES = "docs/example/";

  private static final Pattern FILE_SHOWN = Pattern.compile("cat ([a-z0-9.]+)");

  /** Values that later commands repeat: numbers of transactions, and the address of a server. */
  private static final Pattern REPEATED = Pattern.compile("\\b20\\d{17}\\b|127[.]0[.]0[.]1:\\d+");

  private static final List<String[]> CHANGING =
      List.of(
          new String[] {"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+(Z|[+-]\\d\\d:\\d\\d)", "TIME"},
          new String[] {":\\d{4}:\\d\\d:\\d\\d:", ":DAY:"},
          new String[] {"\"record_id\":\"[0-9a-f.-]+\"", "\"record_id\":ID"},
          new String[] {"\"created_at\":\\d+", "\"created_at\":TIME"},
          new String[] {"\\([A-Za-z]+(/[A-Za-z_]+)*\\)$", "(ZONE)"},
          new String[] {"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"},
          new String[] {"baga[a-z2-7.]{8,}", "ID"},
          new String[] {"^id: [a-z0-9]+-", "id: ID-"},
          new String[] {"--token [A-Za-z0-9_=-]+", "--token TOKEN"},
          new String[] {"webhook-[0-9a-f]{8}", "webhook-ID"},
          new String[] {"\\b[0-9a-f]{64}\\b", "SECRET"},
          new String[] {"PostgreSQL \\d+, process \\d+", "PostgreSQL"},
          new String[] {"-p \\d+ ", "-p PORT "},
          new String[] {"\\d+[.]\\d kB sent", "SIZE sent"},
          new String[] {" +", " "},
          new String[] {" +$", ""});

  private final Path directory;
  private final Map<String, String> repeated = new HashMap<>();
  private Optional<ChildJvm> server = Optional.empty();
  private int exitCode;

  ConsoleSession(Path directory) {
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }

  /**
   * Runs the commands of a page in their order, and compares their output with the page. With the
   * system property {@code docs.update} writes output that differs into the page instead.
   */
  void follow(String page, List<Command> commands, SoftAssertions compared)
      throws IOException, InterruptedException {
    Map<Command, List<String>> changed = new LinkedHashMap<>();
    for (Command command : commands) {
      List<String> output = run(command);
      if (UPDATE && !plain(output).equals(plain(command.output()))) {
        changed.put(command, output.stream().map(this::shown).toList());
      } else {
        compared
            .assertThat(plain(output))
            .as("%s:%d: %s", page, command.line(), command.text())
            .isEqualTo(plain(command.output()));
      }
    }
    Markdown.replaceOutput(page, changed);
  }

  /** Returns a line of this run as a page shows it. */
  private String shown(String line) {
    return line.replace(" --data " + data(), "")
        .replace(directory + "/then", "then")
        .replace(directory + "/monday", "monday")
        .replace(directory.toString(), SHOWN.toString());
  }

  /** Runs a command as a shell would, and returns the lines that it prints. */
  List<String> run(Command command) throws IOException, InterruptedException {
    String text = command.text();
    Matcher file = FILE_SHOWN.matcher(text);
    if (file.matches()) {
      String content = String.join("\n", command.output()) + "\n";
      Files.writeString(directory.resolve(file.group(1)), content);
    }
    if (text.equals("echo $?")) {
      return List.of(Integer.toString(exitCode));
    }
    List<String> output =
        text.startsWith("curl ")
            ? curl(words(text).subList(1, words(text).size()), command.output().size())
            : text.equals(VERB + "serve &") ? serve(command.output().size()) : others(text);
    learn(command.output(), output);
    return output;
  }

  private List<String> others(String text) throws IOException, InterruptedException {
    int at = text.indexOf(VERB);
    if (at < 0) {
      return run(List.of("bash", "-c", text));
    }
    String before = text.substring(0, at).replaceFirst(" \\| $", "");
    List<String> input = before.isEmpty() ? List.of() : run(List.of("bash", "-c", before));
    List<String> words = words(text.substring(at + VERB.length()));
    List<String> output = verb(words, String.join("\n", input));
    while (words.contains("claim") && output.equals(List.of("nothing to do"))) {
      output = verb(words, ""); // what was released is there again after half a second
    }
    return text.endsWith("> /dev/null") ? List.of() : output;
  }

  /** The words of a command line, where names of files are below the directory. */
  private List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(text.replaceFirst(" > /dev/null$", ""));
    while (matcher.find()) {
      boolean quoted = matcher.group().matches("['\"].*");
      String plain = unquoted(matcher.group());
      String current =
          REPEATED
              .matcher(plain)
              .replaceAll(found -> repeated.getOrDefault(found.group(), found.group()));
      boolean isFile = !quoted && FILE.matcher(current).matches();
      Path base = current.startsWith(EXAMPLES) ? Markdown.root() : directory;
      words.add(
          isFile || base != directory ? base.resolve(current).normalize().toString() : current);
    }
    return words;
  }

  /** Returns the words of a command line as a shell passes them on. */
  static List<String> split(String text) {
    return WORD.matcher(text).results().map(word -> unquoted(word.group())).toList();
  }

  private static String unquoted(String word) {
    return PART.matcher(word)
        .results()
        .map(part -> part.group().replaceFirst("(?s)^(['\"])(.*)\\1$", "$2"))
        .collect(Collectors.joining());
  }

  private List<String> verb(List<String> words, String input) {
    List<String> all = new ArrayList<>(words);
    boolean elsewhere = words.contains("--server") || words.contains("--data");
    if (!elsewhere && !words.get(0).equals("hlep")) {
      all.addAll(List.of("--data", data()));
    }
    if (words.get(0).equals("query") || words.get(0).equals("sql")) {
      all.addAll(List.of("--cache", directory.resolve("cache").toString()));
    }
    InputStream usual = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    try {
      StringWriter out = new StringWriter();
      PrintWriter printer = new PrintWriter(out, true);
      exitCode =
          TidemarkCommand.run(
              CommandDescriptor.all(), printer, printer, all.toArray(String[]::new));
      return out.toString().lines().toList();
    } finally {
      System.setIn(usual);
    }
  }

  private String data() {
    return directory.resolve("tidemark-data").toString();
  }

  private List<String> serve(int lines) {
    ChildJvm child =
        ChildJvm.start(TidemarkCommand.class, "serve", "--port", "0", "--data", data());
    server = Optional.of(child);
    return Stream.generate(() -> child.nextLine().orElseThrow()).limit(lines).toList();
  }

  /** Returns that many lines of an answer, which may have no end. */
  private static List<String> curl(List<String> words, int lines)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder();
    for (int i = 0; i < words.size(); i++) {
      switch (words.get(i)) {
        case "-s", "-sN" -> {}
        case "-H" -> request.headers(words.get(++i).split(": ", 2));
        case "-d" -> request.POST(BodyPublishers.ofString(words.get(++i)));
        default -> request.uri(URI.create(words.get(i)));
      }
    }
    try (Stream<String> answer =
        HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofLines()).body()) {
      return answer.limit(lines).toList();
    }
  }

  List<String> run(List<String> words) throws IOException, InterruptedException {
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

  private void learn(List<String> shown, List<String> output) {
    List<String> before = repeatedIn(shown);
    List<String> now = repeatedIn(output);
    for (int i = 0; i < Math.min(before.size(), now.size()); i++) {
      repeated.put(before.get(i), now.get(i));
    }
  }

  private static List<String> repeatedIn(List<String> lines) {
    return REPEATED.matcher(String.join("\n", lines)).results().map(MatchResult::group).toList();
  }

  /** Returns lines of this run, or of the page, without what differs between them. */
  String plain(List<String> lines) {
    return lines.stream().map(this::plain).collect(Collectors.joining("\n"));
  }

  private String plain(String line) {
    String plain =
        line.replace(" --data " + data(), "")
            .replace(directory + "/then", "then")
            .replace(directory + "/monday", "monday")
            .replace(directory.toString(), "DIRECTORY")
            .replace(SHOWN.toString(), "DIRECTORY");
    plain = REPEATED.matcher(plain).replaceAll("REPEATED");
    for (String[] each : CHANGING) {
      plain = plain.replaceAll(each[0], each[1]);
    }
    return plain;
  }

  @Override
  public void close() {
    server.ifPresent(ChildJvm::close);
    List<String> unused = verb(List.of("features", "down"), ""); // if a test ends before it
  }
}
