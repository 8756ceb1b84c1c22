// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Permission for one action, written {@code action:realm/prefix}.
 *
 * <p>No action implies another: {@code write} doesn't include {@code read}, and {@code admin} of
 * names includes neither. A prefix that ends with {@code /} or {@code :} covers every name that
 * starts with it; any other is a whole name and covers that name and its branches. So {@code acme}
 * covers neither {@code acmecorp} nor {@code acme/crm}.
 *
 * @param action the allowed action
 * @param realm resource type of the names
 * @param prefix prefix of the names; empty for all names of the realm
 */
public record Grant(Action action, ResourceType realm, String prefix) {

  private static final String ALL = "*";

  /**
   * Parses grants such as {@code read:names/acme/}, {@code read,write:names/acme/} for two actions,
   * {@code read:names} for a whole realm, or {@code read:*} for all realms.
   */
  public static List<Grant> parse(String text) {
    int colon = text.indexOf(':');
    if (colon <= 0 || colon == text.length() - 1) {
      throw invalid(text, "it has to be action:realm or action:realm/prefix");
    }
    String place = text.substring(colon + 1);
    int slash = place.indexOf('/');
    String realm = slash < 0 ? place : place.substring(0, slash);
    String prefix = slash < 0 ? "" : place.substring(slash + 1);
    List<ResourceType> realms =
        realm.equals(ALL)
            ? List.of(ResourceType.values())
            : List.of(one(ResourceType.values(), realm, "realm", text));
    if (!prefix.isEmpty() && (realm.equals(ALL) || realms.contains(ResourceType.SERVER))) {
      throw invalid(text, realm + " has no names, so nothing may follow it");
    }
    check(prefix, text);
    List<Grant> grants = new ArrayList<>();
    for (String action : text.substring(0, colon).split(",", -1)) {
      Action what = one(Action.values(), action, "action", text);
      realms.forEach(where -> grants.add(new Grant(what, where, prefix)));
    }
    return grants;
  }

  private static void check(String prefix, String text) {
    if (prefix.chars().anyMatch(c -> c <= ' ' || c == '*' || c == 0x7f)) {
      throw invalid(text, "a prefix is the beginning of a name, without '*' and spaces");
    }
  }

  private static <E extends Enum<E>> E one(E[] all, String word, String kind, String text) {
    for (E value : all) {
      if (word(value).equals(word)) {
        return value;
      }
    }
    List<String> words = Arrays.stream(all).map(Grant::word).toList();
    throw invalid(
        text, "there is no %s \"%s\", only %s".formatted(kind, word, String.join(", ", words)));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static InvalidAccessException invalid(String text, String why) {
    return new InvalidAccessException(
        "the grant \"%s\" isn't understood: %s; write it like read:names/acme/"
            .formatted(text, why));
  }

  boolean covers(Action wanted, ResourceType in, String name) {
    return action == wanted && realm == in && covers(name);
  }

  private boolean covers(String name) {
    if (prefix.isEmpty()) {
      return true;
    }
    if (prefix.endsWith("/") || prefix.endsWith(":")) {
      return name.startsWith(prefix);
    }
    return name.equals(prefix) || name.startsWith(prefix + ":");
  }

  /** Returns the text that {@link #parse} reads. */
  @Override
  public String toString() {
    String all = word(action) + ":" + word(realm);
    return prefix.isEmpty() ? all : all + "/" + prefix;
  }
}
