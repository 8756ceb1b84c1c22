// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Mapping between keys and the files that hold them; one key a file, one file a key.
 *
 * <p>The segments of a key become directories and, the last one, a file; plain ones keep their
 * name, so that {@code meta/head.json} is just that. The rest is made safe by four rules:
 *
 * <ol>
 *   <li>A {@code %}, a byte outside of printable ASCII and a leading dot are written as {@code
 *       %XX}. So file names don't depend on the locale or on how the file system normalises
 *       Unicode, no name is {@code .} or {@code ..}, and names with a leading dot are left to the
 *       store itself.
 *   <li>Both {@code a} and {@code a/b} can be keys, so a file never has the name of a directory. A
 *       segment that ends like a data file ({@code .json}, {@code .jsonl}, {@code .parquet}) is
 *       plain as a file and gets a {@code %} at its end as a directory. Any other segment is plain
 *       as a directory and gets the {@code %} as a file.
 *   <li>File systems limit a name to 255 bytes, so a longer segment is cut into directories whose
 *       names end with {@code %+}, and goes on inside them.
 *   <li>A file that isn't exactly where its key would be stored is not an object.
 * </ol>
 *
 * <p>By rule 1 a copy of the keys of a bucket would lose those with a {@code %}, such as {@code
 * feature%2Fauth.json}, and a bucket filled from a directory would have {@code
 * feature%252Fauth.json} instead. So there is a second form, the <i>plain</i> one, in which a
 * segment with a {@code %} is kept as it is, wherever that is no name by the rules above. New
 * objects are stored in plain form; those that are stored by the rules stay where they are.
 */
final class FileNames {

  /** Kind of thing that an entry of a directory stands for. */
  enum Kind {
    OBJECT,
    /** Objects whose keys go on after a slash. */
    DIRECTORY,
    /** Objects whose keys go on in the middle of a segment (rule 3). */
    CONTINUATION
  }

  /**
   * An entry of a directory.
   *
   * @param text the key, or what all keys below the entry start with
   */
  record Decoded(Kind kind, String text) {}

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String MARK = "%";
  private static final String CONTINUED = "%+";

  /** Well below 255, so that marks fit, and temporary names of backup tools as well. */
  private static final int MAX_NAME = 200;

  private FileNames() {}

  /** Returns the file of a key, relative to the root. */
  static Path fileOf(String key) {
    return path(key.split("/", -1), Kind.OBJECT);
  }

  /**
   * Returns the directory that holds every key with this prefix, relative to the root.
   *
   * @param prefix empty, or ending with a slash
   */
  static Path directoryOf(String prefix) {
    if (prefix.isEmpty()) {
      return Path.of("");
    }
    return path(prefix.substring(0, prefix.length() - 1).split("/", -1), Kind.DIRECTORY);
  }

  /**
   * Returns the file of a key in plain form, relative to the root; the one by the rules if it has
   * none.
   */
  static Path plainFileOf(String key) {
    return plainPath(key.split("/", -1), Kind.OBJECT);
  }

  /** Returns the directory with this prefix in plain form, see {@link #directoryOf}. */
  static Path plainDirectoryOf(String prefix) {
    return prefix.isEmpty()
        ? Path.of("")
        : plainPath(prefix.substring(0, prefix.length() - 1).split("/", -1), Kind.DIRECTORY);
  }

  /** Returns whether the plain form of a key may be another than the one by the rules. */
  static boolean mayBePlain(String key) {
    return key.indexOf('%') >= 0;
  }

  private static Path plainPath(String[] segments, Kind lastKind) {
    Path path = Path.of("");
    for (int i = 0; i < segments.length; i++) {
      Kind kind = i == segments.length - 1 ? lastKind : Kind.DIRECTORY;
      boolean plain = isPlainSegment(segments[i], kind);
      path = path.resolve(plain ? Path.of(segments[i]) : path(new String[] {segments[i]}, kind));
    }
    return path;
  }

  /**
   * Returns whether a segment with a {@code %} can be a name as it is, and no other segment has
   * that.
   */
  private static boolean isPlainSegment(String segment, Kind kind) {
    return mayBePlain(segment)
        && segment.length() <= MAX_NAME
        && !segment.startsWith(".")
        && segment.chars().allMatch(c -> c >= ' ' && c < 0x7f)
        && !segment.endsWith(MARK)
        && !segment.endsWith(CONTINUED)
        && looksLikeFile(segment) == (kind == Kind.OBJECT)
        && decode("", segment).isEmpty();
  }

  /** Reads the name of an entry in plain form; see {@link #decode}. */
  static Optional<Decoded> decodePlain(String parent, String name) {
    Kind kind = looksLikeFile(name) ? Kind.OBJECT : Kind.DIRECTORY;
    boolean begins = parent.isEmpty() || parent.endsWith("/");
    return begins && isPlainSegment(name, kind)
        ? Optional.of(new Decoded(kind, parent + name + (kind == Kind.DIRECTORY ? "/" : "")))
        : Optional.empty();
  }

  /**
   * Reads the name of an entry.
   *
   * @param parent what all keys below its directory start with
   * @return empty when the entry is none of ours
   */
  static Optional<Decoded> decode(String parent, String name) {
    boolean continued = name.endsWith(CONTINUED);
    boolean marked = !continued && name.endsWith(MARK);
    int markLength = continued ? CONTINUED.length() : marked ? MARK.length() : 0;
    Optional<String> text = unescape(name.substring(0, name.length() - markLength));
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String key = parent + text.get();
    String segment = key.substring(key.lastIndexOf('/') + 1);
    Kind kind =
        continued
            ? Kind.CONTINUATION
            : looksLikeFile(segment) != marked ? Kind.OBJECT : Kind.DIRECTORY;
    return isCanonical(segment, kind, parent, name)
        ? Optional.of(new Decoded(kind, kind == Kind.DIRECTORY ? key + "/" : key))
        : Optional.empty();
  }

  /**
   * Returns whether an entry of this name, if it is one of ours, is an object whose key ends with
   * the very name. That costs much less to find out than what the name stands for.
   */
  static boolean isPlain(String name) {
    return looksLikeFile(name) && name.indexOf('%') < 0;
  }

  /**
   * Rule 4: whether a segment that is stored rightly has this name at this depth. Where a segment
   * that goes on was cut is checked when it ends.
   */
  private static boolean isCanonical(String segment, Kind kind, String parent, String name) {
    String begun = parent.substring(parent.lastIndexOf('/') + 1);
    int depth = begun.isEmpty() ? 0 : chunks(begun).size();
    List<String> chunks = chunks(segment);
    return depth == chunks.size() - 1
        && name.equals(chunks.get(depth) + mark(segment, kind))
        && !segment.isEmpty();
  }

  private static Path path(String[] segments, Kind lastKind) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < segments.length; i++) {
      Kind kind = i == segments.length - 1 ? lastKind : Kind.DIRECTORY;
      List<String> chunks = chunks(segments[i]);
      for (String chunk : chunks.subList(0, chunks.size() - 1)) {
        names.add(chunk + CONTINUED);
      }
      names.add(chunks.get(chunks.size() - 1) + mark(segments[i], kind));
    }
    return Path.of(names.get(0), names.subList(1, names.size()).toArray(String[]::new));
  }

  private static String mark(String segment, Kind kind) {
    if (kind == Kind.CONTINUATION) {
      return CONTINUED;
    }
    return looksLikeFile(segment) == (kind == Kind.OBJECT) ? "" : MARK;
  }

  private static boolean looksLikeFile(String segment) {
    return segment.endsWith(".json") || segment.endsWith(".jsonl") || segment.endsWith(".parquet");
  }

  /**
   * Returns the escaped segment, cut between characters into names of at most {@link #MAX_NAME}.
   */
  private static List<String> chunks(String segment) {
    List<String> chunks = new ArrayList<>(1);
    StringBuilder chunk = new StringBuilder(segment.length() + 8);
    for (int i = 0; i < segment.length(); ) {
      int codePoint = segment.codePointAt(i);
      int before = chunk.length();
      escape(codePoint, chunk);
      if (chunk.length() > MAX_NAME) {
        chunks.add(chunk.substring(0, before));
        chunk.setLength(0);
        escape(codePoint, chunk);
      }
      i += Character.charCount(codePoint);
    }
    chunks.add(chunk.toString());
    return chunks;
  }

  private static void escape(int codePoint, StringBuilder out) {
    boolean leadingDot = codePoint == '.' && out.isEmpty();
    if (codePoint >= ' ' && codePoint < 0x7f && codePoint != '%' && !leadingDot) {
      out.append((char) codePoint);
      return;
    }
    for (byte b : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
      out.append('%').append(HEX.toHexDigits(b));
    }
  }

  private static Optional<String> unescape(String name) {
    if (name.indexOf('%') < 0) {
      return Optional.of(name);
    }
    byte[] bytes = new byte[name.length()];
    int length = 0;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '%') {
        int value = i + 2 < name.length() ? hex(name.charAt(i + 1), name.charAt(i + 2)) : -1;
        if (value < 0) {
          return Optional.empty();
        }
        bytes[length++] = (byte) value;
        i += 2;
      } else {
        bytes[length++] = (byte) c;
      }
    }
    return Optional.of(new String(bytes, 0, length, StandardCharsets.UTF_8));
  }

  private static int hex(char high, char low) {
    int h = Character.digit(high, 16);
    int l = Character.digit(low, 16);
    return h < 0 || l < 0 ? -1 : h * 16 + l;
  }
}
