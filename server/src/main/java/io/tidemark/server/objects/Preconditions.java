// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.server.http.HttpRequestContext;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of the request headers that make an operation conditional on a version. */
final class Preconditions {

  private static final Pattern ONE_TAG = Pattern.compile("\"([^\"]+)\"");

  private Preconditions() {}

  /** Returns the condition of a write. */
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

  /** Returns the version to delete; empty for any. */
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
   * Returns the version that the reader has; empty if the header names none or several, and the
   * reader then gets the object.
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
