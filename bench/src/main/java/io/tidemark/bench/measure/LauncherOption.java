// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Option that names the command of which a benchmark starts processes. */
public final class LauncherOption {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--launcher",
      paramLabel = "FILE",
      description = "The command to start. Default: ./tidemark of this source tree.")
  private @Nullable Path launcher;

  /** Returns the given command, or {@code ./tidemark} of the source tree of this build. */
  public Path command() throws URISyntaxException {
    if (launcher != null) {
      return launcher.toAbsolutePath();
    }
    Path here =
        Path.of(LauncherOption.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    for (Path at = here.getParent(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("pom.xml")) && Files.isExecutable(at.resolve("tidemark"))) {
        return at.resolve("tidemark");
      }
    }
    throw new ParameterException(
        spec.commandLine(), "there is no ./tidemark above " + here + "; name one by --launcher");
  }
}
