// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * Validator of names. The name of a namespace, handler, session or event is one segment of a key,
 * so that no name reaches into the folder of another.
 */
public final class NameValidator {

  private static final int LONGEST = 128;
  private static final int SHOWN = 80;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1," + LONGEST + "}");
  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  private NameValidator() {}

  public static void namespace(String name) {
    check("a namespace", name);
  }

  public static void handler(String id) {
    check("a handler", id);
  }

  public static void session(String id) {
    check("a session", id);
  }

  public static void event(String id) {
    check("an event", id);
  }

  /** Checks the type of an event, which is part of no key but follows the same rules. */
  public static void type(String name) {
    if (name.length() > LONGEST || !TYPE.matcher(name).matches()) {
      throw new InvalidNameException(
          shown("a type of events", name)
              + "; use words of A-Z, a-z, 0-9, _ and - with dots between, such as order.created,"
              + " of at most "
              + LONGEST
              + " characters");
    }
  }

  /** Checks the time of an event, which is part of its name. */
  public static void time(Instant createdAt) {
    if (createdAt.isBefore(Instant.EPOCH)) {
      throw new InvalidNameException("an event of " + createdAt + ", before there were any");
    }
  }

  /** Returns whether a segment of a key is a valid name, so that its object can belong to a bus. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches() && !name.equals(".") && !name.equals("..");
  }

  private static void check(String what, String name) {
    if (!isName(name)) {
      throw new InvalidNameException(
          shown(what, name) + "; use 1 to " + LONGEST + " of A-Z, a-z, 0-9, '.', '_' and '-'");
    }
  }

  private static String shown(String what, String name) {
    String start = name.length() > SHOWN ? name.substring(0, SHOWN) + "..." : name;
    return what + " can't be called \"" + start.replaceAll("\\p{Cntrl}", "?") + "\"";
  }
}
