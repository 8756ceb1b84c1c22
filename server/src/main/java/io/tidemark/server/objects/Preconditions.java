// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.server.http.HttpRequestContext;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the headers of a request say about the version that has to be there. */
final class Preconditions {

  private static final Pattern ONE_TAG = Pattern.compile("\"([^\"]+)\"");

  private Preconditions() {}

  /** On what condition an object is to be written. */
  static Condition ofWrite(HttpRequestContext httpRequestContext) {
    Optional<String> ifNoneMatch = httpRequestContext.header("If-None-Match");
    Optional<ETag> expected = ofDelete(httpRequestContext);
    if (ifNoneMatch.isEmpty()) {
      return expected.map(Condition::ifMatch).orElse(Condition.none());
    }
    if (expected.isPresent() || !ifNoneMatch.get().strip().equals("*")) {
      throw HttpRequestContext.invalid(
          "an object is written with If-Match: \"etag\", with If-None-Match: *, or with neither");
    }
    return Condition.ifAbsent();
  }

  /** The version that is to be deleted; empty for any. */
  static Optional<ETag> ofDelete(HttpRequestContext httpRequestContext) {
    Optional<String> ifMatch = httpRequestContext.header("If-Match");
    if (ifMatch.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        tag(ifMatch.get())
            .orElseThrow(
                () -> HttpRequestContext.invalid("If-Match takes one ETag, in double quotes")));
  }

  /**
   * The version that a reader has; empty when it has none or several, which then gets all of it.
   */
  static Optional<ETag> ofRead(HttpRequestContext httpRequestContext) {
    return httpRequestContext.header("If-None-Match").flatMap(Preconditions::tag);
  }

  static String quoted(ETag etag) {
    return '"' + etag.value() + '"';
  }

  private static Optional<ETag> tag(String header) {
    Matcher matcher = ONE_TAG.matcher(header.strip());
    return matcher.matches() ? Optional.of(new ETag(matcher.group(1))) : Optional.empty();
  }
}
