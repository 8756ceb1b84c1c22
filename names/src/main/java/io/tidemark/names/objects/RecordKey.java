// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.InvalidAddressException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Key of a document of a record: {@code ns@v2/{name}/{branch}.json} and beside it {@code
 * {branch}.index.json} and so on.
 *
 * <p>Different addresses never share a key. Two kinds of branch would, and are written differently:
 * a {@code /} in a branch becomes {@code %2F} (or {@code a:b/c} would be {@code a/b:c}), and in a
 * branch that ends like one of the documents beside a record, such as {@code x.index}, the last dot
 * becomes {@code %2E}. Addresses hold no {@code %}, so this can be undone.
 *
 * @param address whose document it is
 * @param part which one
 */
record RecordKey(Address address, Part part) {

  /** Prefix of all keys. */
  static final String ROOT = "ns@v2/";

  private static final String JSON = ".json";
  private static final Pattern RESERVED =
      Pattern.compile("(.*)\\.(index|head|status|config|commits|snapshots)");

  /** The documents that a record may have. */
  enum Part {
    MAIN,
    HEAD,
    INDEX,
    STATUS,
    CONFIG;

    static Part of(Concern concern) {
      return valueOf(concern.name());
    }

    private String suffix() {
      return this == MAIN ? "" : "." + name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns the key as text. */
  String text() {
    return ROOT + address.name() + "/" + encoded(address.branch()) + part.suffix() + JSON;
  }

  /** Returns the document that a key stands for; empty when it isn't one of a record. */
  static Optional<RecordKey> parse(String key) {
    int slash = key.lastIndexOf('/');
    if (!key.startsWith(ROOT) || !key.endsWith(JSON) || slash < ROOT.length()) {
      return Optional.empty();
    }
    String name = key.substring(ROOT.length(), slash);
    String file = key.substring(slash + 1, key.length() - JSON.length());
    Matcher reserved = RESERVED.matcher(file);
    Optional<RecordKey> parsed =
        reserved.matches()
            ? part(reserved.group(2)).flatMap(part -> of(name, reserved.group(1), part))
            : of(name, file, Part.MAIN);
    return parsed.filter(record -> record.text().equals(key));
  }

  /**
   * Returns whether another program may have meant a main document by a key that can't be parsed.
   */
  static boolean looksLikeMain(String key) {
    boolean json = key.startsWith(ROOT) && key.endsWith(JSON);
    return json && !RESERVED.matcher(key.substring(0, key.length() - JSON.length())).matches();
  }

  /**
   * Returns the common prefix of the keys of all addresses that start with the given text. Other
   * keys may share it: the caller checks each.
   */
  static String prefixOf(String addresses) {
    int colon = addresses.indexOf(':');
    if (colon < 0) {
      return ROOT + addresses;
    }
    // A dot may be an encoded one or not, depending on what follows.
    String branch = addresses.substring(colon + 1).split("\\.", -1)[0];
    return ROOT + addresses.substring(0, colon) + "/" + branch.replace("/", "%2F");
  }

  private static String encoded(String branch) {
    String flat = branch.replace("/", "%2F");
    Matcher reserved = RESERVED.matcher(flat);
    return reserved.matches() ? reserved.group(1) + "%2E" + reserved.group(2) : flat;
  }

  private static Optional<Part> part(String word) {
    return switch (word) {
      case "index" -> Optional.of(Part.INDEX);
      case "head" -> Optional.of(Part.HEAD);
      case "status" -> Optional.of(Part.STATUS);
      case "config" -> Optional.of(Part.CONFIG);
      default -> Optional.empty();
    };
  }

  private static Optional<RecordKey> of(String name, String file, Part part) {
    try {
      String branch = file.replace("%2F", "/").replace("%2E", ".");
      return Optional.of(new RecordKey(new Address(name, branch), part));
    } catch (InvalidAddressException e) {
      return Optional.empty();
    }
  }
}
