// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.features.FeaturesCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The help of the verbs on features, as a terminal of eighty columns shows it. */
class FeaturesHelpTest {

  /** Longer lines are broken, behind which the next one of the text begins anew. */
  private static final int WIDE = 79;

  /** What is left beside the names of options. */
  private static final int BESIDE = 51;

  private static Stream<CommandSpec> specs(CommandLine command) {
    return Stream.concat(
        Stream.of(command.getCommandSpec()),
        command.getSubcommands().values().stream().flatMap(FeaturesHelpTest::specs));
  }

  private static List<CommandSpec> all() {
    return specs(new CommandLine(new FeaturesCommand())).toList();
  }

  @Test
  void everyVerbSaysWhatItDoesAndHasExamplesOfItself() {
    for (CommandSpec spec : all()) {
      String name = spec.qualifiedName();
      assertThat(spec.usageMessage().description())
          .as("%s: a list of verbs shows the first line only", name)
          .hasSize(1);
      assertThat(spec.usageMessage().footer())
          .as(name)
          .contains("Examples:")
          .anySatisfy(line -> assertThat(line).contains("tidemark features"));
      assertThat(spec.options())
          .as(name)
          .allSatisfy(option -> assertThat(option.description()).isNotEmpty());
      boolean isGroup = !spec.subcommands().isEmpty();
      assertThat(isGroup || spec.findOption("--json") != null).as(name + " --json").isTrue();
    }
  }

  @Test
  void linesOfTheHelpAreNotBroken() {
    List<String> tooLong = new ArrayList<>();
    for (CommandSpec spec : all()) {
      Stream.of(spec.usageMessage().footer())
          .filter(line -> line.length() > WIDE)
          .forEach(line -> tooLong.add(spec.name() + ": " + line));
      spec.options().stream()
          .map(option -> option.description())
          .filter(lines -> lines.length > 1)
          .flatMap(Stream::of)
          .filter(line -> line.length() > BESIDE)
          .forEach(line -> tooLong.add(spec.name() + ": " + line));
    }
    assertThat(tooLong).isEmpty();
  }
}
