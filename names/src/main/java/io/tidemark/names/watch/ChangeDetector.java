// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import io.tidemark.names.Address;
import io.tidemark.names.ChangeLog;
import io.tidemark.names.ChangeMarker;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.VersionPage;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detector of moved records, for a {@link NameFeed}.
 *
 * <p>It remembers how far every record within its scope had come when it last looked. To look at a
 * record is to read it and compare; what differs is told to the listener. Looks are taken one after
 * the other, so each reports a state that is as new as the one before it or newer, and a listener
 * hears of a state only after it could be read. Everything else is about which records to look at:
 *
 * <ol>
 *   <li>those that this process says it has changed, at once;
 *   <li>those that the marker names, where every process leaves word of what it moved: one request
 *       tells that there was nothing;
 *   <li>those that a survey finds in another version than before. It catches moves that no process
 *       announced, because it died or another program wrote. It goes on all the time, a page in
 *       place of every so many looks at the marker, and runs through at once when the marker has
 *       moved on further than it can tell.
 * </ol>
 *
 * <p>Not safe for threads: the feed sees to that.
 */
final class ChangeDetector {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeDetector.class);

  /** Receiver of the results of a look. */
  interface Listener {
    void moved(Address address, Observation before, Observation now);
  }

  /** An address that was looked at. */
  private static final class TrackedRecord {
    private Observation observation = Observation.Absent.ABSENT;
    private final Map<String, Part> parts = new HashMap<>(4);
    private long pass;

    /** Returns whether a part was found in another version than before. */
    boolean hasNewVersions(Map<String, String> versions) {
      return versions.entrySet().stream()
          .anyMatch(
              found ->
                  !parts.containsKey(found.getKey())
                      || !parts.get(found.getKey()).version().equals(found.getValue()));
    }

    void remember(Map<String, String> versions, long atPass) {
      versions.forEach((part, version) -> parts.put(part, new Part(version, atPass)));
    }

    /** Returns whether a survey has found less of the record than before. */
    boolean wasMissingInPass(long atPass) {
      return pass < atPass || parts.values().stream().anyMatch(part -> part.pass() < atPass);
    }

    void forgetMissing(long atPass) {
      parts.values().removeIf(part -> part.pass() < atPass);
    }
  }

  /** A part of a record, in the version and in the pass in which a survey has last found it. */
  private record Part(String version, long pass) {}

  private final NameService names;
  private final ChangeMarker changeMarker;
  private final int surveyEvery;
  private final Listener listener;
  private final Map<Address, TrackedRecord> known = new HashMap<>();
  private final List<WatchFilter> scope = new ArrayList<>();
  private Optional<String> markerVersion = Optional.empty();
  private Optional<ChangeLog.Position> position = Optional.empty();
  private String surveyedPrefix = "";
  private Optional<String> nextPage = Optional.empty();
  private long pass = 1;
  private long ticks;

  ChangeDetector(NameService names, int surveyEvery, Listener listener) {
    this.names = names;
    this.changeMarker = names.marker();
    this.surveyEvery = surveyEvery;
    this.listener = listener;
  }

  /**
   * Looks at everything that matches, and from now on whenever it moves. What is looked at already
   * is taken as it is known, up to the last announcement of other processes.
   */
  void addScope(WatchFilter filter) {
    boolean isKnown = scope.stream().anyMatch(wider -> wider.covers(filter));
    if (scope.isEmpty() || isKnown) {
      readMarker(); // before the records, so that no word is missed
    }
    if (isKnown) {
      scope.add(filter);
      return;
    }
    // The versions first: what is read after that is at least as new.
    List<VersionPage.VersionEntry> surveyed = new ArrayList<>();
    for (String prefix : prefixes(filter)) {
      surveyAll(prefix, page -> surveyed.addAll(page.seen()));
    }
    scope.add(filter);
    try {
      checkAll(filter, surveyed);
    } catch (RuntimeException | Error e) {
      removeScope(filter);
      throw e;
    }
    // Not before they were looked at: other watches of those records would never hear of them.
    surveyed.forEach(this::remember);
  }

  /** Undoes one {@link #addScope}. */
  void removeScope(WatchFilter filter) {
    scope.remove(filter);
    known.keySet().removeIf(address -> filter.matches(address) && !isWanted(address));
  }

  private void checkAll(WatchFilter filter, List<VersionPage.VersionEntry> surveyed) {
    Set<Address> all = new HashSet<>(trackedAddresses(filter));
    all.addAll(filter.addresses());
    surveyed.forEach(versionEntry -> all.add(versionEntry.address()));
    try {
      checkListed(filter, new HashSet<>(all));
    } catch (RuntimeException e) {
      if (!isOfOneRecord(e)) {
        throw e;
      }
      // A listing ends at the first record that can't be read; one by one only that one fails.
      all.forEach(this::check);
    }
  }

  private void checkListed(WatchFilter filter, Set<Address> left) {
    if (filter.addresses().isEmpty()) {
      RecordFilter listed = RecordFilter.all().startingWith(filter.prefix());
      try (Stream<NameRecord> records = names.list(listed)) {
        records.forEach(
            record -> {
              left.remove(record.address());
              found(record.address(), present(record));
            });
      }
    }
    // Gone meanwhile, or left over from one that was; or the listing lags behind, as some do.
    left.forEach(this::check);
  }

  /** Returns the last observation of an address. */
  Observation lastObservation(Address address) {
    TrackedRecord of = known.get(address);
    return of == null ? Observation.Absent.ABSENT : of.observation;
  }

  /** Returns the addresses that match and of which something is known. */
  List<Address> trackedAddresses(WatchFilter filter) {
    return known.keySet().stream().filter(filter::matches).toList();
  }

  /** Takes a look at a record, if anybody wants to know. */
  void check(Address address) {
    if (isWanted(address)) {
      found(address, read(address));
    }
  }

  private boolean isWanted(Address address) {
    return scope.stream().anyMatch(filter -> filter.matches(address));
  }

  private Observation read(Address address) {
    try {
      Optional<NameRecord> record = names.find(address);
      return record.isPresent() ? present(record.get()) : Observation.Absent.ABSENT;
    } catch (RuntimeException e) {
      // This record can't be read; the other records must not wait for it.
      return new Observation.Unreadable(problem(address, e));
    }
  }

  /**
   * Says why a record can't be read.
   *
   * @throws TidemarkException if it isn't the record but the store that can't be read
   */
  private static String problem(Address address, RuntimeException e) {
    if (!isOfOneRecord(e)) {
      throw e;
    }
    if (e instanceof TidemarkException) {
      return String.valueOf(e.getMessage());
    }
    LOG.warn("{} can't be read, by a fault of this program", address, e);
    return "reading " + address + " failed by a fault of this program: " + e;
  }

  private static boolean isOfOneRecord(RuntimeException e) {
    return !(e instanceof TidemarkException)
        || e instanceof CorruptRecordException
        || e instanceof StoreAccessException
        || e instanceof StoreFailureException;
  }

  private Observation present(NameRecord record) {
    return new Observation.Present(Watermarks.of(record));
  }

  private void found(Address address, Observation now) {
    TrackedRecord of = known.computeIfAbsent(address, a -> new TrackedRecord());
    of.pass = Math.max(of.pass, pass);
    Observation before = of.observation;
    if (!before.equals(now)) {
      of.observation = now;
      listener.moved(address, before, now);
    }
  }

  /** One request, when nothing has moved. */
  void poll() {
    ticks++;
    if (ticks % surveyEvery == 0) {
      surveyPage();
    } else {
      readMarker();
    }
  }

  private void readMarker() {
    if (!(changeMarker.read(markerVersion) instanceof ChangeMarker.Current current)) {
      return;
    }
    Optional<ChangeLog> log = ChangeLog.parse(current.text());
    Optional<Set<Address>> moved = log.flatMap(l -> position.flatMap(l::since));
    if (moved.isPresent()) {
      moved.get().forEach(this::check);
    } else if (!scope.isEmpty()) {
      surveyAll(commonPrefix(), this::compare);
      nextPage = Optional.empty();
      endPass();
    }
    // Only now: if one of those looks failed, they are all taken again.
    markerVersion = Optional.of(current.version());
    position = log.map(ChangeLog::end);
  }

  private void surveyPage() {
    String prefix = commonPrefix();
    if (!prefix.equals(surveyedPrefix)) {
      // Not whenever a watch comes or goes, or many of them would keep it on its first page.
      surveyedPrefix = prefix;
      nextPage = Optional.empty();
    }
    VersionPage page = names.listVersions(prefix, nextPage);
    compare(page);
    nextPage = page.next();
    if (nextPage.isEmpty()) {
      endPass();
    }
  }

  private void surveyAll(String prefix, Consumer<VersionPage> each) {
    Optional<String> next = Optional.empty();
    do {
      VersionPage page = names.listVersions(prefix, next);
      each.accept(page);
      next = page.next();
    } while (next.isPresent());
  }

  private void compare(VersionPage page) {
    Map<Address, Map<String, String>> found = new HashMap<>();
    for (VersionPage.VersionEntry versionEntry : page.seen()) {
      if (isWanted(versionEntry.address())) {
        found
            .computeIfAbsent(versionEntry.address(), a -> new HashMap<>())
            .put(versionEntry.part(), versionEntry.version());
      }
    }
    found.forEach(
        (address, versions) -> {
          TrackedRecord of = known.computeIfAbsent(address, a -> new TrackedRecord());
          of.pass = pass;
          // What may not be read is permitted again without another version.
          if (of.hasNewVersions(versions) || of.observation instanceof Observation.Unreadable) {
            check(address);
          }
          of.remember(versions, pass); // not before the look, which may have failed
        });
  }

  private void remember(VersionPage.VersionEntry versionEntry) {
    if (!isWanted(versionEntry.address())) {
      return; // its address only starts like one that is
    }
    known
        .computeIfAbsent(versionEntry.address(), a -> new TrackedRecord())
        .remember(Map.of(versionEntry.part(), versionEntry.version()), pass);
  }

  /**
   * Tells records and parts of records as gone that a complete survey didn't find again. A single
   * document of a record may have been removed by hand.
   */
  private void endPass() {
    Map<Address, TrackedRecord> missing = new HashMap<>();
    known.forEach(
        (address, of) -> {
          if (of.wasMissingInPass(pass)) {
            missing.put(address, of);
          }
        });
    missing.forEach(
        (address, of) -> {
          check(address);
          of.forgetMissing(pass);
          if (of.observation == Observation.Absent.ABSENT) {
            known.remove(address);
          }
        });
    pass++;
  }

  private static List<String> prefixes(WatchFilter filter) {
    return filter.addresses().isEmpty()
        ? List.of(filter.prefix())
        : filter.addresses().stream().map(Address::toString).toList();
  }

  /** Returns the least that a survey has to go through. */
  private String commonPrefix() {
    return scope.stream()
        .flatMap(filter -> prefixes(filter).stream())
        .reduce(ChangeDetector::commonPrefix)
        .orElse("");
  }

  private static String commonPrefix(String a, String b) {
    int length = 0;
    while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
      length++;
    }
    return a.substring(0, length);
  }
}
