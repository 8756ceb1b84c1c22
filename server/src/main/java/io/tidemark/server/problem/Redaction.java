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
 * Redaction of secrets for callers that may read a name but not write it. It hides the values of
 * members that are named like secrets, and passwords in URLs. Writers of the name could have stored
 * the secrets themselves, so they get them unredacted.
 *
 * <p>Redaction goes by names, so a secret under a harmless name is shown. It is better to store
 * secrets elsewhere, and only their location in records.
 */
public final class Redaction {

  /** Replacement of a secret. */
  public static final String HIDDEN = "[hidden]";

  /** Suffixes of the names of members with secrets, after separators are removed. */
  private static final Pattern SECRET =
      Pattern.compile(
          ".*(password|passwd|passphrase|pwd|secret|token|apikey|accesskey|secretkey|privatekey"
              + "|accountkey|sharedkey|masterkey|signingkey|encryptionkey|credential|credentials"
              + "|authorization|connectionstring|dsn|keypem)s?");

  /** Names that mean a secret only as a whole. */
  private static final Set<String> WHOLE = Set.of("pass", "key", "auth", "sig", "signature", "jwt");

  /** Names with such a suffix that mean no secret. */
  private static final Set<String> HARMLESS =
      Set.of("nexttoken", "continuationtoken", "pagetoken", "maxtokens");

  /** User and password in a URL, {@code //user:password@}; the user is kept. */
  private static final Pattern USER_INFO = Pattern.compile("(//[^/?#\\s:@]*):[^/?#\\s]*@");

  /** Parameter such as {@code password=...} in a query or in connection settings. */
  private static final Pattern PARAMETER =
      Pattern.compile(
          "([?&;,\\s{(]|^)([A-Za-z0-9_.-]{1,64})(\\s?=\\s?)('[^']*'|\"[^\"]*\"|[^&;,\\s})]+)");

  private static final Pattern JOINTS = Pattern.compile("[^a-z0-9]");

  private static final Pattern BEARER =
      Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{8,}");

  private static final Pattern PEM =
      Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----.*", Pattern.DOTALL);

  private Redaction() {}

  /** Returns a redacted copy of a document, which isn't changed. */
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

  /** Returns a text with passwords, tokens and private keys redacted. */
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

  /** Returns the redacted value; null, booleans and empty texts stay as they are. */
  private static JsonNode hidden(JsonNode value) {
    boolean empty =
        value.isNull() || value.isBoolean() || (value.isTextual() && value.asText().isEmpty());
    return empty ? value : TextNode.valueOf(HIDDEN);
  }
}
