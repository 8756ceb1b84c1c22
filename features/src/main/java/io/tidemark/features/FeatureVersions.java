// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.features.KeptStates.Version;
import io.tidemark.features.activity.Activity;
import io.tidemark.features.activity.Lives;
import io.tidemark.features.db.PrimaryNeededException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The states of a feature, a stretch at a time. Their order is found without what they say; then
 * only those are read that are asked for.
 */
final class FeatureVersions {

  private final KeptStates kept;
  private final String id;
  private final List<Version> oldestFirst;

  FeatureVersions(KeptStates kept, String id) {
    this.kept = kept;
    this.id = id;
    this.oldestFirst = Lives.inOrder(kept.outline(id), Version::link);
  }

  Stretch<Feature> states(Optional<String> after, int most) {
    List<Version> meant = behind(oldestFirst, after, most);
    return new Stretch<>(read(meant), next(oldestFirst, meant));
  }

  /** Each takes the state that it was made from, too. */
  Stretch<Activity> activities(Optional<String> after, int most) {
    List<Version> newestFirst = new ArrayList<>(oldestFirst);
    Collections.reverse(newestFirst);
    List<Version> meant = behind(newestFirst, after, most);
    Set<String> told = new HashSet<>();
    Set<String> needed = new HashSet<>();
    for (Version version : meant) {
      told.add(version.link().uuid());
      needed.add(version.link().uuid());
      needed.add(version.link().puuid());
    }
    List<Feature> states =
        read(oldestFirst.stream().filter(each -> needed.contains(each.link().uuid())).toList());
    return new Stretch<>(
        Activity.of(kept.info().id(), states).stream()
            .filter(activity -> told.contains(activity.json().path("id").asText()))
            .toList(),
        next(newestFirst, meant));
  }

  private List<Version> behind(List<Version> all, Optional<String> after, int most) {
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

  /** By its row number, since a state that came past the triggers may have no uuid. */
  private static String place(Version version) {
    return Long.toString(version.i());
  }

  private RuntimeException absent(String place) {
    return kept.sql().yes("SELECT pg_is_in_recovery()")
        ? new PrimaryNeededException(
            "this replica doesn't have the state '%s' of the feature (yet); ask the primary"
                .formatted(place))
        : new InvalidRequestException(
            "the feature has no state '%s' (any more) to go on behind; begin anew"
                .formatted(place));
  }

  private List<Feature> read(List<Version> meant) {
    if (meant.isEmpty()) {
      return List.of();
    }
    Map<Long, Feature> found = kept.versions(id, meant.stream().map(Version::i).toList());
    return meant.stream().map(version -> found.get(version.i())).toList();
  }
}
