// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.activity.Activity;
import io.tidemark.features.activity.VersionChain;
import io.tidemark.features.db.PrimaryNeededException;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.read.StoredVersions.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The states of a feature, one slice at a time. Their order is determined without their contents;
 * then only the requested states are read.
 *
 * <p>A transaction that writes sees concurrent commits, so states may be dropped by retention
 * between the two steps. Then both are repeated: a feature that exists at any moment has a state.
 */
final class FeatureVersions {

  /** Each failed attempt means that another transaction has committed. */
  private static final int MOST_ATTEMPTS = 100;

  private final StoredVersions kept;
  private final String id;

  FeatureVersions(StoredVersions kept, String id) {
    this.kept = kept;
    this.id = id;
  }

  Slice<Feature> states(Optional<String> after, int most) {
    return found(oldestFirst -> states(oldestFirst, after, most));
  }

  private Optional<Slice<Feature>> states(
      List<Version> oldestFirst, Optional<String> after, int most) {
    List<Version> meant = versionsAfter(oldestFirst, after, most);
    return read(meant).map(states -> new Slice<>(states, next(oldestFirst, meant)));
  }

  /** Each takes the state that it was made from, too. */
  Slice<Activity> activities(Optional<String> after, int most) {
    return found(oldestFirst -> activities(oldestFirst, after, most));
  }

  private Optional<Slice<Activity>> activities(
      List<Version> oldestFirst, Optional<String> after, int most) {
    List<Version> newestFirst = new ArrayList<>(oldestFirst);
    Collections.reverse(newestFirst);
    List<Version> meant = versionsAfter(newestFirst, after, most);
    Set<Version> told = new HashSet<>(meant);
    Set<String> before = new HashSet<>();
    meant.forEach(version -> before.add(version.link().puuid()));
    before.remove("");
    List<Version> needed =
        oldestFirst.stream()
            .filter(each -> told.contains(each) || before.contains(each.link().uuid()))
            .toList();
    return read(needed)
        .map(states -> relevant(Activity.of(kept.info().id(), states), needed, told))
        .map(activities -> new Slice<>(activities, next(newestFirst, meant)));
  }

  /** Returns the requested activities, newest first. */
  private static List<Activity> relevant(
      List<Activity> activities, List<Version> oldestFirst, Set<Version> meant) {
    List<Activity> told = new ArrayList<>();
    for (int n = 0; n < activities.size(); n++) {
      if (meant.contains(oldestFirst.get(oldestFirst.size() - 1 - n))) {
        told.add(activities.get(n));
      }
    }
    return told;
  }

  private <T> Slice<T> found(Function<List<Version>, Optional<Slice<T>>> look) {
    for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      Optional<Slice<T>> found =
          look.apply(VersionChain.sort(kept.versionLinks(id), Version::link));
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new StorageUnavailableException(
        "others replace the states of feature '%s' again and again while they are read; try again"
            .formatted(id));
  }

  private List<Version> versionsAfter(List<Version> all, Optional<String> after, int most) {
    int first = 0;
    if (after.isPresent()) {
      first = all.stream().map(FeatureVersions::place).toList().indexOf(after.get()) + 1;
      if (first == 0) {
        throw absent(after.get());
      }
    }
    return all.subList(first, (int) Math.min(all.size(), (long) first + most));
  }

  private static Optional<String> next(List<Version> all, List<Version> meant) {
    if (meant.isEmpty() || meant.get(meant.size() - 1).equals(all.get(all.size() - 1))) {
      return Optional.empty();
    }
    return Optional.of(place(meant.get(meant.size() - 1)));
  }

  /**
   * Returns the row number as the place, since a state that bypassed the triggers may have no uuid.
   */
  private static String place(Version version) {
    return Long.toString(version.i());
  }

  private RuntimeException absent(String place) {
    return kept.sql().queryBoolean(SqlSession.FOLLOWS)
        ? new PrimaryNeededException(
            "this replica doesn't have the state '%s' of the feature (yet); ask the primary"
                .formatted(place))
        : new InvalidRequestException(
            "the feature has no state '%s' (any more) to go on behind; begin anew"
                .formatted(place));
  }

  /** Reads the states; empty when one of them isn't kept any longer. */
  private Optional<List<Feature>> read(List<Version> meant) {
    if (meant.isEmpty()) {
      return Optional.of(List.of());
    }
    Map<Long, Feature> found = kept.versions(id, meant.stream().map(Version::i).toList());
    List<Feature> states = new ArrayList<>();
    for (Version version : meant) {
      Feature state = found.get(version.i());
      if (state == null) {
        return Optional.empty();
      }
      states.add(state);
    }
    return Optional.of(states);
  }
}
