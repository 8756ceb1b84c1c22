// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import io.tidemark.features.geojson.PostgresText;
import org.jspecify.annotations.Nullable;

/**
 * The application and the person that write.
 *
 * @param appId the application; never empty
 * @param author the person; null when changed features get no author
 * @param streamId the id of the request in other systems; null when it has none
 */
public record Actor(String appId, @Nullable String author, @Nullable String streamId) {

  /** Authors are keys; longer ones don't fit into those of PostgreSQL. */
  static final int LONGEST = 500;

  public Actor {
    if (appId.isEmpty()) {
      throw new InvalidRequestException("an application id is needed to write; it is empty");
    }
    checkLength("application id", appId);
    checkLength("author", author);
    checkLength("stream id", streamId);
  }

  private static void checkLength(String name, @Nullable String text) {
    if (text != null && PostgresText.length(text) > LONGEST) {
      throw new InvalidRequestException(
          "the %s '%s…' has %d characters; give at most %d"
              .formatted(
                  name,
                  text.substring(0, text.offsetByCodePoints(0, 50)),
                  PostgresText.length(text),
                  LONGEST));
    }
  }

  /** Returns an application that acts for no particular person. */
  public static Actor app(String appId) {
    return new Actor(appId, null, null);
  }

  /** Returns this application acting on behalf of a person. */
  public Actor by(String person) {
    return new Actor(appId, person, streamId);
  }

  /** Returns this actor in the course of a request with an id. */
  public Actor in(String stream) {
    return new Actor(appId, author, stream);
  }
}
