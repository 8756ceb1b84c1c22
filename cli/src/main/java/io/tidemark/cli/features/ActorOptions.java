// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.FeatureContext;
import picocli.CommandLine.Option;

/** Options of every verb that changes features: the actor. */
final class ActorOptions {

  private static final String APP = "tidemark-cli";

  @Option(
      names = "--app",
      paramLabel = "ID",
      description = "The application that writes. Default: tidemark-cli")
  private String app = APP;

  @Option(
      names = "--author",
      paramLabel = "NAME",
      defaultValue = "${env:TIDEMARK_AUTHOR:-}",
      description = {
        "The person who writes. Default: $TIDEMARK_AUTHOR,",
        "else nobody: what is changed keeps its author,",
        "what is new has the collection's, or the",
        "application."
      })
  private String author = "";

  /** Returns the context of operations that write. */
  FeatureContext context() {
    FeatureContext context = FeatureContext.app(app);
    return author.isEmpty() ? context : context.by(author);
  }
}
