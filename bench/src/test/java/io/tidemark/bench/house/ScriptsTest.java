// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code ./tidemark}, {@code ./check} and {@code ./rooms} as a user would. What needs a build
 * of its own, which takes minutes, is for soak runs; the others have scripts in the place of Maven
 * and Java.
 */
class ScriptsTest {

  private static final String BUILDING = "tidemark: building";

  private final SourceTree tree = SourceTree.find();

  @TempDir private Path temp;

  @Test
  void checkExplainsItself() throws Exception {
    Outcome outcome = run(temp, Map.of(), tree.path("check"), "--help").await();

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.text()).contains("Usage: ./check", "--module", "--soak", "--jdk25");
  }

  @Test
  void checkRefusesWhatItDoesNotKnow() throws Exception {
    Outcome option = run(temp, Map.of(), tree.path("check"), "--quick").await();
    Outcome module = run(temp, Map.of(), tree.path("check"), "--module", "kitchen").await();

    assertThat(option)
        .isEqualTo(new Outcome(2, "check: there is no option '--quick'; see ./check --help\n"));
    assertThat(module.exitCode()).isEqualTo(2);
    assertThat(module.text()).contains("--module needs one of: ").contains("objects");
  }

  /** Without Maven and apt-get it goes no further than to say what is missing. */
  @Test
  void checkAsksForGdalWhateverElseIsThere() throws Exception {
    Path programs = Files.createDirectories(temp.resolve("jdk/bin"));
    program(programs.resolve("javac"), "echo javac 17.0.1\n");
    for (String tool : List.of("dirname", "readlink", "cut", "sort", "tail")) {
      program(programs.resolve(tool), "exec /usr/bin/" + tool + " \"$@\"\n");
    }
    Map<String, String> bare =
        Map.of("JAVA_HOME", temp.resolve("jdk").toString(), "PATH", programs.toString());

    Outcome without = run(temp, bare, tree.path("check")).await();
    program(programs.resolve("ogr2ogr"), "");
    Outcome with = run(temp, bare, tree.path("check")).await();

    assertThat(without.exitCode()).isEqualTo(1);
    assertThat(without.text()).startsWith("check: tests need what Debian calls maven gdal-bin");
    assertThat(with.exitCode()).isEqualTo(1);
    assertThat(with.text())
        .startsWith("check: tests need what Debian calls maven")
        .doesNotContain("gdal-bin");
  }

  @Test
  void theRoomsAreMeasured() throws Exception {
    type(
        "kitchen/src/main/java/a/Cook.java",
        "package a;\n\npublic class Cook extends a.b.Tool {}\n");
    type(
        "kitchen/src/main/java/a/b/Tool.java",
        "package a.b;\n\nimport a.Cook;\n\nclass Tool { Cook c; }\n");
    type("yard/src/main/java/y/Tree.java", "package y;\n\n/** {@link a.Cook}. */\nenum Tree {}\n");

    assertThat(start(temp, Map.of(), tree.path("rooms").toString()).await())
        .isEqualTo(
            new Outcome(
                0,
                """
                | room | lines | types | public types | packages in cycles |
                |---|---:|---:|---:|---:|
                | kitchen | 8 | 2 | 1 | 2 of 2 |
                | yard | 4 | 1 | 0 | 0 of 1 |
                | **all** | 12 | 3 | 1 | 2 of 3 |

                cycle: a a.b
                """));
    assertThat(start(temp, Map.of(), tree.path("rooms").toString(), "--help").await())
        .isEqualTo(new Outcome(2, "Usage: ./rooms [COMMIT]\n"));
  }

  private void type(String file, String text) throws IOException {
    Path path = temp.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  @Test
  void withoutJavaTheLauncherSaysWhatToInstall() throws Exception {
    Map<String, String> noJava = Map.of("JAVA_HOME", "", "PATH", temp.toString());

    Outcome outcome = run(temp, noJava, tree.path("tidemark"), "--version").await();

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.text())
        .isEqualTo(
            "tidemark: there is no java on the PATH; install Java 17 or later (on Debian: apt-get"
                + " install openjdk-17-jdk-headless), or set JAVA_HOME\n");
  }

  @Test
  void aWrongJavaHomeIsNamed() throws Exception {
    Outcome outcome =
        run(temp, Map.of("JAVA_HOME", temp.toString()), tree.path("tidemark"), "--version").await();

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                1,
                "tidemark: JAVA_HOME is %s, but it has no bin/java; correct it or unset it\n"
                    .formatted(temp)));
  }

  @Test
  void anOldJavaIsRefused() throws Exception {
    Path java = Files.createDirectories(temp.resolve("bin")).resolve("java");
    assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
    Files.writeString(temp.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"11.0.2\"\n");

    Outcome outcome =
        run(temp, Map.of("JAVA_HOME", temp.toString()), tree.path("tidemark"), "--version").await();

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.text())
        .contains(java + " is Java 11.0.2, which is too old; install Java 17");
  }

  @Test
  void aBuildTellsItsStepsAndLaterStartsTellNothing() throws Exception {
    Path launcher =
        launcherWith(
            """
            echo '[INFO] Scanning for projects...'
            echo 'Downloading from somewhere: first.jar'
            echo 'Downloading from somewhere: second.jar'
            echo '[INFO] Building Tidemark 0.1.0                               [1/2]'
            echo '[INFO] Building Tidemark command 0.1.0                       [2/2]'
            for word; do [[ $word != -Dtidemark.lib=* ]] || lib=${word#*=}; done
            mkdir "$lib" && touch "$lib/tidemark-cli-0.1.0.jar"
            """);

    Outcome first = run(temp, standIns(), launcher, "list").await();
    Outcome second = run(temp, standIns(), launcher, "list").await();
    Outcome server = run(temp, standIns(), launcher, "serve").await();

    assertThat(first.exitCode()).isZero();
    assertThat(first.text().lines().limit(5))
        .containsExactly(
            BUILDING
                + ", which takes minutes (only on the first run and when sources have changed) ...",
            "tidemark: fetching libraries (file 1)",
            "tidemark: building Tidemark (1 of 2)",
            "tidemark: building Tidemark command (2 of 2)",
            "tidemark: making an archive of classes for fast starts");
    assertThat(first.text()).containsPattern("\ntidemark: built in \\d+ s\n").endsWith("list\n");
    assertThat(second.text())
        .startsWith("-XX:Tier4")
        .endsWith("list\n")
        .doesNotContain("tidemark: ");
    assertThat(server.text()).startsWith("-cp").endsWith("serve\n");
  }

  @Test
  void aFailedBuildShowsWhatFailed() throws Exception {
    Path launcher =
        launcherWith(
            """
            echo '[INFO] Building Tidemark 0.1.0                               [1/1]'
            echo '[ERROR] a class is missing'
            exit 1
            """);

    Outcome outcome = run(temp, standIns(), launcher, "list").await();

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.text())
        .contains("tidemark: building Tidemark (1 of 1)\n[ERROR] a class is missing\n")
        .endsWith(
            "tidemark: the build failed; all it said is in %s\n"
                .formatted(launcher.resolveSibling(".tidemark/build.log").toRealPath()));
  }

  /** The launcher in a tree of its own, with scripts for Maven and Java. */
  private Path launcherWith(String maven) throws IOException {
    Path home = Files.createDirectory(temp.resolve("tree"));
    Files.createDirectories(home.resolve(".mvn"));
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Path programs = Files.createDirectories(temp.resolve("jdk/bin"));
    Files.writeString(temp.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    program(programs.resolve("java"), "printf '%s\\n' \"$@\"\n");
    program(programs.resolve("javac"), "");
    program(programs.resolve("mvn"), maven);
    return Files.copy(tree.path("tidemark"), home.resolve("tidemark"));
  }

  private static void program(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/bash\n" + text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Map<String, String> standIns() {
    Path jdk = temp.resolve("jdk");
    return Map.of(
        "JAVA_HOME", jdk.toString(), "PATH", jdk.resolve("bin") + ":" + System.getenv("PATH"));
  }

  @Test
  @EnabledIfSystemProperty(named = "soak", matches = "true")
  void firstStartsAtOnceShareOneBuildAndAnyoneCanUseItLater() throws Exception {
    Path launcher = copyOfTheTree().resolve("tidemark");

    Running first = run(temp, Map.of(), launcher, "--version");
    Running second = run(temp, Map.of(), launcher, "--version");
    List<Outcome> outcomes = List.of(first.await(), second.await());

    assertThat(outcomes).allMatch(o -> o.exitCode() == 0 && o.text().contains("\nJava "));
    assertThat(outcomes).filteredOn(o -> o.text().contains(BUILDING)).hasSize(1);

    Path link = Files.createSymbolicLink(temp.resolve("link"), launcher);
    Outcome linked = run(Path.of("/"), Map.of(), link, "--version").await();
    assertThat(linked.exitCode()).isZero();
    assertThat(linked.text()).startsWith("tidemark ").doesNotContain(BUILDING);

    Path toFullDisk = Files.writeString(temp.resolve("full"), "exec \"$@\" >/dev/full");
    assertThat(run(temp, Map.of(), toFullDisk, launcher.toString(), "--version").await())
        .isEqualTo(new Outcome(1, "tidemark: can't write the output; is the disk full?\n"));
  }

  @Test
  @EnabledIfSystemProperty(named = "soak", matches = "true")
  void aKilledBuildIsMadeAnewAndAChangedSourceIsBuilt() throws Exception {
    Path copy = copyOfTheTree();
    Path launcher = copy.resolve("tidemark");

    Running killed = run(temp, Map.of(), launcher, "--version");
    while (!Files.exists(copy.resolve("objects/target/classes"))) {
      assertThat(killed.process().waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
    }
    killed.process().descendants().forEach(ProcessHandle::destroyForcibly);
    killed.process().destroyForcibly().waitFor();

    // It may have to wait first, until the killed processes are gone and their lock with them.
    assertThat(run(temp, Map.of(), launcher, "--version").await().text()).contains(BUILDING);
    assertThat(run(temp, Map.of(), launcher, "--version").await().text()).startsWith("tidemark ");

    Path version = copy.resolve("cli/src/main/java/io/tidemark/cli/Version.java");
    String source = Files.readString(version);
    Files.writeString(version, source.replace("\"tidemark \"", "\"tidemark changed \""));
    assertThat(run(temp, Map.of(), launcher, "--version").await().text())
        .startsWith(BUILDING)
        .contains("\ntidemark changed ");
    try (var builds = Files.list(copy.resolve(".tidemark/cli/builds"))) {
      assertThat(builds).hasSize(1);
    }
  }

  private Path copyOfTheTree() throws Exception {
    Path copy = Files.createDirectory(temp.resolve("a copy"));
    String command =
        "tar -C '%s' --exclude=.git --exclude=target --exclude=.tidemark -cf - . | tar -C '%s' -xf -"
            .formatted(tree.path(""), copy);
    assertThat(new ProcessBuilder("bash", "-c", command).start().waitFor()).isZero();
    return copy;
  }

  private Running run(Path cwd, Map<String, String> environment, Path script, String... words)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/bash", script.toString()));
    command.addAll(List.of(words));
    return start(cwd, environment, command.toArray(String[]::new));
  }

  private Running start(Path cwd, Map<String, String> environment, String... command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    File output = Files.createTempFile(temp, "output", ".txt").toFile();
    Process process =
        builder.directory(cwd.toFile()).redirectErrorStream(true).redirectOutput(output).start();
    return new Running(process, output.toPath());
  }

  /** A script under way, with what it prints on both streams. */
  private record Running(Process process, Path output) {
    Outcome await() throws Exception {
      boolean ended = process.waitFor(5, TimeUnit.MINUTES);
      process.destroyForcibly();
      assertThat(ended).as("ended within five minutes").isTrue();
      return new Outcome(process.exitValue(), Files.readString(output));
    }
  }

  private record Outcome(int exitCode, String text) {}
}
