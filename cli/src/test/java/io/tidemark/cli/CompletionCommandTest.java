// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Shells that complete what is typed, by what the command prints for them. */
final class CompletionCommandTest {

  @TempDir private static Path directory;
  private static Path script;

  @BeforeAll
  static void print() throws IOException {
    try (ChildJvm child = ChildJvm.start(TidemarkCommand.class, "completion")) {
      script = Files.write(directory.resolve("completion"), child.linesToEnd());
    }
  }

  private static String run(String... words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** What a shell offers for the last of these words. */
  private static List<String> offered(String shell, String... words) throws IOException {
    String typed =
        List.of(words).stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    String asked =
        String.join(
            "\n",
            "source " + script,
            // The shell says so itself where a function completes; here nobody types.
            "compopt() { :; }",
            "COMP_WORDS=(" + typed + ")",
            "COMP_CWORD=" + (words.length - 1),
            "_complete_tidemark 2>&1",
            "printf '%s\\n' \"${COMPREPLY[@]}\"");
    return run(shell, "-c", asked).lines().toList();
  }

  @Test
  void bashOffersVerbsOptionsAndVerbsOfVerbs() throws IOException {
    assertThat(offered("bash", "tidemark", "ser")).containsExactly("serve");
    assertThat(offered("bash", "tidemark", ""))
        .contains("serve", "tour", "query", "features", "doctor");
    assertThat(offered("bash", "tidemark", "query", "crm", "--as")).containsExactly("--as-of");
    assertThat(offered("bash", "tidemark", "features", "collection", "cr"))
        .containsExactly("create");
    assertThat(run("bash", "-c", "source " + script + "; complete -p tidemark"))
        .contains("-F _complete_tidemark");
  }

  /** Who has no zsh can't tell, and doesn't need to. */
  @Test
  @EnabledIf("hasZsh")
  void zshTakesTheSame() throws IOException {
    String asked =
        "autoload -U +X compinit && compinit -u -D; source %s; print -r -- $_comps[tidemark]"
            .formatted(script);
    assertThat(run("zsh", "-f", "-c", asked)).contains("_bash_complete -F _complete_tidemark");
  }

  static boolean hasZsh() {
    return Files.isExecutable(Path.of("/usr/bin/zsh")) || Files.isExecutable(Path.of("/bin/zsh"));
  }
}
