// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The fenced blocks of a page in Markdown, in their order. */
record Markdown(List<Block> blocks) {

  /**
   * A block.
   *
   * @param section the heading that it stands below
   * @param language the word behind the fence
   * @param line where it begins
   */
  record Block(String section, String language, int line, List<String> lines) {
    String text() {
      return String.join("\n", lines) + "\n";
    }
  }

  /** A command of a console block, with what it prints. */
  record Command(int line, String text, List<String> output) {}

  /** Reads a page, named by its path from the root of the repository. */
  static Markdown read(String page) {
    List<Block> blocks = new ArrayList<>();
    String section = "";
    Block open = null;
    int number = 0;
    for (String line : lines(page)) {
      number++;
      if (open != null && line.equals("```")) {
        blocks.add(open);
        open = null;
      } else if (open != null) {
        open.lines().add(line);
      } else if (line.startsWith("```")) {
        open = new Block(section, line.substring(3), number, new ArrayList<>());
      } else if (line.startsWith("#")) {
        section = line.replaceFirst("#+ ", "");
      }
    }
    return new Markdown(blocks);
  }

  /** Writes other output of commands into a page. */
  static void replaceOutput(String page, Map<Command, List<String>> outputs) throws IOException {
    List<String> lines = new ArrayList<>(lines(page));
    List<Command> commands = new ArrayList<>(outputs.keySet());
    commands.sort(Comparator.comparingInt(Command::line).reversed());
    for (Command command : commands) {
      List<String> output = lines.subList(command.line(), command.line() + command.output().size());
      output.clear();
      output.addAll(outputs.getOrDefault(command, List.of()));
    }
    if (!commands.isEmpty()) {
      Files.write(root().resolve(page), lines);
    }
  }

  private static List<String> lines(String page) {
    try {
      return Files.readAllLines(root().resolve(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The root of the repository. */
  static Path root() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve(".mvn"))) {
        return at;
      }
    }
    throw new IllegalStateException("no directory above this one holds .mvn");
  }

  List<Block> in(String language) {
    return blocks.stream().filter(block -> block.language().equals(language)).toList();
  }

  /** The commands of blocks. */
  static List<Command> commands(List<Block> blocks) {
    List<Command> commands = new ArrayList<>();
    for (Block block : blocks) {
      for (int i = 0; i < block.lines().size(); i++) {
        String line = block.lines().get(i);
        if (line.startsWith("$ ")) {
          int at = block.line() + i + 1;
          commands.add(new Command(at, line.substring(2), new ArrayList<>()));
        } else {
          commands.get(commands.size() - 1).output().add(line);
        }
      }
    }
    return commands;
  }
}
