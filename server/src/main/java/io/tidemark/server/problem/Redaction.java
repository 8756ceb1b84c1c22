// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.problem;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes secrets out of what is shown to those who may read a name but not write it: what is behind
 * a member that is called like a secret, and passwords in URLs. Whoever may write the name could
 * have put them there and gets them as they are.
 *
 * <p>It goes by names, so a secret under a harmless one is shown. Better to keep secrets out of
 * records, and only say there where they are.
 */
public final class Redaction {

  /** What stands in the place of a secret. */
  public static final String HIDDEN = "[hidden]";

  /** A member whose name ends so has a secret behind it, however its words are joined. */
  private static final Pattern SECRET =
      Pattern.compile(
          ".*(password|passwd|passphrase|pwd|secret|token|apikey|accesskey|secretkey|privatekey"
              + "|accountkey|sharedkey|masterkey|signingkey|encryptionkey|credential|credentials"
              + "|authorization|connectionstring|dsn|keypem)s?");

  /** Names that are secrets only when they are nothing else. */
  private static final Set<String> WHOLE = Set.of("pass", "key", "auth", "sig", "signature", "jwt");

  /** Names that end like secrets and are none. */
  private static final Set<String> HARMLESS =
      Set.of("nexttoken", "continuationtoken", "pagetoken", "maxtokens");

  /** {@code //user:password@}, of which the user may stay. */
  private static final Pattern USER_INFO = Pattern.compile("(//[^/?#\\s:@]*):[^/?#\\s]*@");

  /** {@code password=...} in a query or among the settings of a connection. */
  private static final Pattern PARAMETER =
      Pattern.compile(
          "([?&;,\\s{(]|^)([A-Za-z0-9_.-]{1,64})(\\s?=\\s?)('[^']*'|\"[^\"]*\"|[^&;,\\s})]+)");

  private static final Pattern JOINTS = Pattern.compile("[^a-z0-9]");

  private static final Pattern BEARER =
      Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{8,}");

  private static final Pattern PEM =
      Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----.*", Pattern.DOTALL);

  private Redaction() {}

  /** The same as far as a reader may see it; what is given isn't changed. */
  public static JsonNode of(JsonNode json) {
    if (json instanceof ObjectNode object) {
      ObjectNode shown = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        shown.set(
            member.getKey(),
            isSecret(member.getKey()) ? hidden(member.getValue()) : of(member.getValue()));
      }
      return shown;
    }
    if (json instanceof ArrayNode array) {
      ArrayNode shown = JsonNodeFactory.instance.arrayNode();
      array.forEach(element -> shown.add(of(element)));
      return shown;
    }
    return json.isTextual() ? TextNode.valueOf(of(json.textValue())) : json;
  }

  /** A text without the passwords of the URLs in it. */
  public static String of(String text) {
    String shown =
        USER_INFO.matcher(text).replaceAll("$1:" + Matcher.quoteReplacement(HIDDEN) + "@");
    shown =
        PARAMETER
            .matcher(shown)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        isSecret(found.group(2))
                            ? found.group(1) + found.group(2) + found.group(3) + HIDDEN
                            : found.group()));
    shown = BEARER.matcher(shown).replaceAll("$1 " + Matcher.quoteReplacement(HIDDEN));
    return PEM.matcher(shown).replaceAll(Matcher.quoteReplacement(HIDDEN));
  }

  private static boolean isSecret(String name) {
    String word = JOINTS.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
    return !HARMLESS.contains(word) && (WHOLE.contains(word) || SECRET.matcher(word).matches());
  }

  /** Nothing stays nothing. */
  private static JsonNode hidden(JsonNode value) {
    boolean empty =
        value.isNull() || value.isBoolean() || (value.isTextual() && value.asText().isEmpty());
    return empty ? value : TextNode.valueOf(HIDDEN);
  }
}
