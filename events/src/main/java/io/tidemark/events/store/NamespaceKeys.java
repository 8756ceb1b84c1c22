// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.NameValidator;
import io.tidemark.objects.UtcTimestamp;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Layout of the keys of a namespace.
 *
 * <p>An event's name is its time and its id, so that names sort by time: {@code
 * 2026-02-11T12-00-00.000001+00-00_ID.json}. A time without microseconds sorts before all others of
 * its second, as {@code +} comes before {@code .}.
 *
 * @param prefix prefix of the whole bus; empty, or ends with {@code /}
 * @param namespace a checked name
 */
public record NamespaceKeys(String prefix, String namespace) {

  /** Folder of the positions of event sources, with a folder for each namespace. */
  public static final String SOURCES = "sources/";

  /** Folder of the positions of ledger outboxes, which may have events of any namespace. */
  public static final String OUTBOXES = "outboxes/";

  private static final String JSON = ".json";
  private static final Pattern EVENT =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\dT)(\\d\\d)-(\\d\\d)-(\\d\\d(?:\\.\\d{6})?)\\+00-00_(.+)\\.json");

  /** Kinds of objects, each with a folder of its own. */
  public enum Kind {
    EVENTS,
    CLAIMS,
    DEAD_LETTERS,
    SESSIONS,
    CURSORS;

    String folder() {
      return name().toLowerCase(java.util.Locale.ROOT) + "/";
    }
  }

  public NamespaceKeys {
    if (!prefix.isEmpty() && !prefix.endsWith("/")) {
      throw new IllegalArgumentException("a prefix ends with '/', unlike \"" + prefix + "\"");
    }
  }

  /** Parsed name of an event. */
  public record EventName(String name, Instant createdAt, String id) {}

  /** Returns the folder of all objects of a kind, which has a folder for each namespace. */
  public static String all(String prefix, Kind kind) {
    return prefix + kind.folder();
  }

  /** Returns the namespace of a key in a bus without a prefix; empty when it belongs to none. */
  public static Optional<String> namespaceOf(String key) {
    int folder = key.indexOf('/') + 1;
    int end = key.indexOf('/', folder);
    String top = key.substring(0, folder);
    boolean ours =
        top.equals(SOURCES) || Stream.of(Kind.values()).anyMatch(kind -> kind.folder().equals(top));
    return ours && end > folder && NameValidator.isName(key.substring(folder, end))
        ? Optional.of(key.substring(folder, end))
        : Optional.empty();
  }

  /** Returns the folder of a kind in this namespace. */
  public String folder(Kind kind) {
    return all(prefix, kind) + namespace + "/";
  }

  public static String eventName(Instant createdAt, String id) {
    return timeBound(createdAt) + "_" + id + JSON;
  }

  /**
   * Returns a bound that sorts after the names of all events before a moment, and before all
   * others.
   */
  public static String timeBound(Instant moment) {
    return UtcTimestamp.format(moment).replace(':', '-');
  }

  /** Returns the key of a name in a folder. */
  public String key(Kind kind, String name) {
    return folder(kind) + name;
  }

  /** Returns the name of a key in a folder. */
  public String name(Kind kind, String key) {
    return key.substring(folder(kind).length());
  }

  /** Parses the name of an event; empty when it isn't one. */
  public static Optional<EventName> parse(String name) {
    Matcher parts = EVENT.matcher(name);
    if (!parts.matches() || !NameValidator.isName(parts.group(5))) {
      return Optional.empty();
    }
    String text =
        parts.group(1)
            + String.join(":", parts.group(2), parts.group(3), parts.group(4))
            + "+00:00";
    return UtcTimestamp.parse(text)
        .map(createdAt -> new EventName(name, createdAt, parts.group(5)));
  }

  /** Returns the id under which an object is given up whose name isn't an event's. */
  public String strayId(String name) {
    return EventIds.of("unreadable", namespace, name);
  }

  public String claim(String eventId, String handlerId) {
    return claims(eventId) + handlerId + JSON;
  }

  /** Returns the prefix of the claims on one event. */
  public String claims(String eventId) {
    return folder(Kind.CLAIMS) + eventId + "/";
  }

  public String deadLetter(String eventId, String handlerId) {
    return deadLetters(eventId) + handlerId + JSON;
  }

  /** Returns the prefix of the dead letters of one event. */
  public String deadLetters(String eventId) {
    return folder(Kind.DEAD_LETTERS) + eventId + "/";
  }

  /** Event and handler of a claim or a dead letter, parsed from its key. */
  public record ClaimKey(String eventId, String handlerId) {}

  /** Parses the key of a claim or a dead letter of this namespace; empty when it isn't one. */
  public Optional<ClaimKey> claimKey(Kind kind, String key) {
    String[] parts = name(kind, key).split("/", -1);
    if (parts.length != 2 || !parts[1].endsWith(JSON)) {
      return Optional.empty();
    }
    return Optional.of(new ClaimKey(parts[0], stem(parts[1])));
  }

  public String session(String sessionId) {
    return folder(Kind.SESSIONS) + sessionId + JSON;
  }

  public String cursor(String handlerId) {
    return folder(Kind.CURSORS) + handlerId + JSON;
  }

  private static String stem(String name) {
    return name.substring(0, name.length() - JSON.length());
  }
}
