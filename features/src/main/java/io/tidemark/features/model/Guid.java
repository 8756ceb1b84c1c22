// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Global identifier of a state of a feature.
 *
 * @param storage the storage it is in
 * @param collection the collection; it may have colons in it
 * @param day the day of the transaction that made the state, in UTC
 * @param i the number of the state's row
 */
public record Guid(String storage, String collection, LocalDate day, long i) {

  /** Read from the right, since a collection's id may have colons. */
  private static final Pattern FORM =
      Pattern.compile("([^:]+):(.+):(\\d{1,4}):(\\d{1,2}):(\\d{1,2}):(\\d{1,18})");

  /** Reads both forms, {@code …:2023:1:30:7} and {@code …:2023:01:30:7}. */
  public static Guid parse(String text) {
    return find(text)
        .orElseThrow(
            () ->
                new InvalidRequestException(
                    "'%s' is no GUID; one looks like storage:collection:2023:1:30:7"
                        .formatted(text)));
  }

  /** Parses a GUID; empty when the text isn't one. */
  public static Optional<Guid> find(String text) {
    Matcher part = FORM.matcher(text);
    if (!part.matches()) {
      return Optional.empty();
    }
    try {
      LocalDate day =
          LocalDate.of(
              Integer.parseInt(part.group(3)),
              Integer.parseInt(part.group(4)),
              Integer.parseInt(part.group(5)));
      return Optional.of(
          new Guid(part.group(1), part.group(2), day, Long.parseLong(part.group(6))));
    } catch (DateTimeException e) {
      return Optional.empty(); // there is no such day
    }
  }

  /**
   * Returns whether two texts name the same state, in whichever form; texts that aren't GUIDs are
   * compared literally.
   */
  public static boolean same(String one, String other) {
    return one.equals(other)
        || find(one).map(guid -> find(other).equals(Optional.of(guid))).orElse(false);
  }

  @Override
  public String toString() {
    // Every row that is written has two, and a format would take a third of the time for writing
    // it.
    return storage
        + ':'
        + collection
        + ':'
        + day.getYear()
        + ':'
        + day.getMonthValue()
        + ':'
        + day.getDayOfMonth()
        + ':'
        + i;
  }
}
