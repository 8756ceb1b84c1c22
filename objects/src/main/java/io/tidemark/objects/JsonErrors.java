// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Pattern;

/**
 * Messages for errors of the JSON parser, as users read them. The parser's own have advice for
 * programmers, such as which of its features to enable, and places in a source that they don't
 * show.
 */
public final class JsonErrors {

  /**
   * {@code [Source: REDACTED (…); line: 1, column: 2]}, which holds brackets of its own. No part is
   * matched in a second way, so the depth of the stack doesn't depend on the text.
   */
  private static final Pattern SOURCE =
      Pattern.compile("\\[Source: (?:[^;\\[\\]]++|\\[[^\\]]*+\\])*+(?:; ([^\\]]*+))?+\\]");

  private static final Pattern ADVICE =
      Pattern.compile(": enable `[^`]*`[^,;)]*|, from `[^`]*`|; see `[^`]*`[^;)]*");

  /** Number of characters that are told; the names of members may be as long as a document. */
  private static final int MOST = 2000;

  private JsonErrors() {}

  /** Returns what is wrong, by the exception of a parser or of the stream that it read from. */
  public static String reason(Exception e) {
    String message =
        e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
    if (message == null || message.isBlank()) {
      return "it can't be read";
    }
    String placed =
        SOURCE
            .matcher(bounded(message))
            .replaceAll(found -> found.group(1) == null ? "the source" : place(found.group(1)));
    return ADVICE.matcher(placed).replaceAll("").strip();
  }

  private static String bounded(String message) {
    if (message.length() <= MOST) {
      return message;
    }
    int end = Character.isHighSurrogate(message.charAt(MOST - 1)) ? MOST - 1 : MOST;
    return message.substring(0, end) + "...";
  }

  private static String place(String numbers) {
    return numbers.replaceAll("(line|column|byte offset|character offset): #?", "$1 ");
  }
}
