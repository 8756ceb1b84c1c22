// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.NameService;
import java.io.PrintWriter;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where the names are, and how to print what is found: what every verb on data takes. */
public final class NamesOptions {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "URI",
      defaultValue = "${env:TIDEMARK_DATA:-./tidemark-data}",
      description = {
        "Where the data is: a path, s3://bucket/prefix,",
        "dynamodb://table, memory: or connection.json.",
        "dynamodb://table?create=true makes the table first.",
        "Default: $TIDEMARK_DATA, else ./tidemark-data"
      })
  private String data = "./tidemark-data";

  @Option(names = "--json", description = "Print JSON, for programs.")
  private boolean json;

  /** Opens the nameservice, does something with it and closes it. */
  public int with(ToIntFunction<NameService> work) {
    try (NameService names = NameService.open(data)) {
      return work.applyAsInt(names);
    } finally {
      out().flush();
    }
  }

  /** Where the data is, as it was said. */
  public String location() {
    return data;
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  public void print(JsonNode result, String text) {
    out().println(json ? result.toString() : text);
  }

  /** Whether a program reads the output. */
  public boolean json() {
    return json;
  }

  /** Where it is said what goes wrong. */
  public PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Where the output goes. */
  public PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
