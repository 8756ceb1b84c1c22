// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Rule for texts: every surrogate is one of a pair. Half of a pair is no character and has no bytes
 * in UTF-8, so that most encoders silently write a question mark. JSON can spell one by an escape,
 * and stores may hold such escapes.
 */
public final class UnicodeText {

  /** End of a message about a text that breaks the rule. */
  public static final String PROBLEM =
      "half of a surrogate pair, which is no character; give the whole pair or none";

  private UnicodeText() {}

  /** Returns whether a text keeps the rule. */
  public static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (isLoneSurrogate(text, i)) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  /** Returns whether the character at an index, a surrogate, isn't the first of a pair. */
  private static boolean isLoneSurrogate(String text, int i) {
    return !Character.isHighSurrogate(text.charAt(i))
        || i + 1 == text.length()
        || !Character.isLowSurrogate(text.charAt(i + 1));
  }

  /** Returns whether all texts of a document keep the rule, names of members included. */
  public static boolean isWellFormed(JsonNode json) {
    if (json.isTextual()) {
      return isWellFormed(json.textValue());
    }
    for (Map.Entry<String, JsonNode> member : json.properties()) {
      if (!isWellFormed(member.getKey())) {
        return false;
      }
    }
    for (JsonNode each : json) { // no streams, whose frames fill the stack in deep documents
      if (!isWellFormed(each)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a document in UTF-8, in which a lone surrogate is escaped. */
  public static byte[] bytes(JsonNode json) {
    String text = json.toString();
    return (isWellFormed(text) ? text : escaped(text)).getBytes(StandardCharsets.UTF_8);
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        out.append(c);
      } else if (isLoneSurrogate(text, i)) {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c).append(text.charAt(++i));
      }
    }
    return out.toString();
  }
}
