// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.client.features.HttpFeatures;
import io.tidemark.features.model.Actor;
import picocli.CommandLine.Option;

/** Who writes: what every verb that changes features takes. */
public final class ActorOptions {

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

  /** The one in whose name a server writes. */
  public HttpFeatures of(HttpFeatures server) {
    return author.isEmpty() ? server.app(app) : server.app(app).by(author);
  }

  /** The one who writes. */
  public Actor actor() {
    return author.isEmpty() ? Actor.app(app) : Actor.app(app).by(author);
  }
}
