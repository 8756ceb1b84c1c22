// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.model.InvalidRequestException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Filter by tags: a feature must have all tags of one of several groups. Features keep tags as they
 * are sent, and normalised ones when they are tagged. So each is looked for in both forms, and
 * {@code ONE} finds {@code ONE} and {@code one}.
 *
 * @param anyOf groups, at least one, each with at least one tag
 */
public record TagFilter(List<List<String>> anyOf) {

  private static final int MOST = 1_000;
  private static final int LONGEST = 1_000;

  /** Tags that begin so keep their case. */
  private static final List<String> KEEP_CASE = List.of("~", "#", "ref_", "sourceID_");

  public TagFilter {
    anyOf = anyOf.stream().map(group -> group.stream().distinct().toList()).toList();
    anyOf.forEach(group -> group.forEach(TagFilter::known));
    if (anyOf.isEmpty() || anyOf.stream().anyMatch(List::isEmpty)) {
      throw new InvalidRequestException("no tags to look for; give at least one in each group");
    }
    if (anyOf.stream().mapToInt(List::size).sum() > MOST) {
      throw new InvalidRequestException("more than %d tags; give fewer".formatted(MOST));
    }
  }

  /** Matches features with one of the tags. */
  public static TagFilter any(String... tags) {
    return new TagFilter(Stream.of(tags).map(List::of).toList());
  }

  /** Matches features with all of the tags. */
  public static TagFilter all(String... tags) {
    return new TagFilter(List.of(List.of(tags)));
  }

  /**
   * Reads {@code a,b} (one of them), {@code a+b} (both), and mixtures: {@code six,three+four} is
   * six, or three and four. Several texts are like one with commas between them.
   */
  public static TagFilter parse(String... texts) {
    List<List<String>> groups = new ArrayList<>();
    for (String text : texts) {
      parse(text, groups);
    }
    return new TagFilter(groups);
  }

  private static void parse(String text, List<List<String>> groups) {
    List<String> group = new ArrayList<>();
    int start = 0;
    for (int at = 0; at <= text.length(); at++) {
      char c = at == text.length() ? ',' : text.charAt(at);
      if (";|&".indexOf(c) >= 0) {
        throw refused(text, at, "'%c' separates no tags; use ',' for or and '+' for and", c);
      }
      if (c != ',' && c != '+') {
        continue;
      }
      if (start == at && (start > 0 || at == text.length() || c == '+')) {
        throw refused(text, at, "a tag is missing before %s", at == text.length() ? "the end" : c);
      }
      if (start < at) {
        group.add(text.substring(start, at));
      }
      if (c == ',' && !group.isEmpty()) {
        groups.add(List.copyOf(group));
        group.clear();
      }
      start = at + 1;
    }
  }

  private static InvalidRequestException refused(String text, int at, String problem, Object what) {
    return new InvalidRequestException(
        "the tags '%s' can't be read at position %d: ".formatted(text, at + 1)
            + problem.formatted(what));
  }

  /**
   * Returns the forms that a tag may have on features: normalised, and as given if it can be stored
   * so.
   */
  static Set<String> forms(String tag) {
    Set<String> forms = new LinkedHashSet<>(List.of(known(tag)));
    if (tag.length() <= LONGEST && tag.codePoints().noneMatch(TagFilter::isUnstorable)) {
      forms.add(tag);
    }
    return forms;
  }

  private static boolean isUnstorable(int codePoint) {
    return codePoint == 0 || Character.getType(codePoint) == Character.SURROGATE;
  }

  private static String known(String tag) {
    String normal = normalize(tag);
    if (normal.isEmpty() || normal.length() > LONGEST || normal.indexOf('\0') >= 0) {
      throw new InvalidRequestException(
          "'%s' is no tag; one has 1 to %d characters of ASCII, or begins with @"
              .formatted(tag, LONGEST));
    }
    return normal;
  }

  /**
   * Returns a tag in its stored form. A tag that begins with {@code @} is kept as it is. Other tags
   * lose accents and characters beyond ASCII, and become lower case unless they begin with {@code
   * ~}, {@code #}, {@code ref_} or {@code sourceID_}.
   */
  public static String normalize(String tag) {
    if (tag.startsWith("@")) {
      return tag;
    }
    String plain =
        Normalizer.normalize(tag, Normalizer.Form.NFD)
            .chars()
            .filter(c -> c >= ' ' && c <= '~')
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
    return KEEP_CASE.stream().anyMatch(plain::startsWith) ? plain : plain.toLowerCase(Locale.ROOT);
  }

  /** Returns the tags with more of them, each once, in stored form. */
  public static List<String> add(Collection<String> tags, Collection<String> more) {
    Set<String> all = new LinkedHashSet<>(tags);
    more.forEach(tag -> all.add(known(tag)));
    return List.copyOf(all);
  }

  /** Returns the tags without some of them. */
  public static List<String> remove(Collection<String> tags, Collection<String> unwanted) {
    Set<String> left = new LinkedHashSet<>(tags);
    unwanted.forEach(tag -> left.remove(known(tag)));
    return List.copyOf(left);
  }
}
