// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Query for features. Each condition that is set narrows the answer.
 *
 * <pre>{@code
 * FeatureQuery.from("roads")
 *     .in(Area.box(8.5, 50.0, 8.7, 50.2))
 *     .tagged(TagFilter.parse("primary,secondary+toll"))
 *     .where(FeatureFilter.parse("p.speedLimit>=50"))
 *     .limit(100)
 *     .build();
 * }</pre>
 */
public final class FeatureQuery {

  /** Default limit of features in an answer. */
  public static final int USUAL_LIMIT = 30_000;

  /** Maximum limit of features in an answer. */
  public static final int HIGHEST_LIMIT = 100_000;

  private static final int MOST_COLLECTIONS = 64;
  private static final int MOST_IDS = 100_000;
  private static final int MOST_FIELDS = 1_000;

  private final Builder asked;

  private FeatureQuery(Builder asked) {
    this.asked = asked;
  }

  /**
   * Begins a query.
   *
   * @param collections at least one; naming one twice is the same as once
   */
  public static Builder from(String... collections) {
    List<String> once = List.of(collections).stream().distinct().toList();
    if (once.isEmpty() || once.size() > MOST_COLLECTIONS) {
      throw new InvalidRequestException(
          "a query of %d collections; name 1 to %d".formatted(once.size(), MOST_COLLECTIONS));
    }
    return new Builder(once);
  }

  public List<String> collections() {
    return asked.collections;
  }

  /** Returns the ids that are wanted; empty when all are. */
  public Optional<List<String>> ids() {
    return Optional.ofNullable(asked.ids);
  }

  public Optional<Area> area() {
    return Optional.ofNullable(asked.area);
  }

  public Optional<TagFilter> tags() {
    return Optional.ofNullable(asked.tagFilter);
  }

  /** Returns the conditions, all of which must be true. */
  public List<FeatureFilter> filters() {
    return List.copyOf(asked.filters);
  }

  public StateSelection states() {
    return asked.stateSelection;
  }

  /** Returns the order; empty when any order will do for a stream; pages then come by id. */
  public Optional<FeatureOrder> order() {
    return Optional.ofNullable(asked.featureOrder);
  }

  /** Returns the fields that are kept of a feature; empty for all. */
  public Optional<List<FeatureField>> selection() {
    return Optional.ofNullable(asked.selection);
  }

  /** Returns whether geometries are cut to the area. */
  public boolean clipped() {
    return asked.clipped;
  }

  /** Returns the maximum number of features; empty for the default. */
  public Optional<Integer> limit() {
    return Optional.ofNullable(asked.limit);
  }

  /** Returns the handle of the page; empty for the first. */
  public Optional<String> handle() {
    return Optional.ofNullable(asked.handle);
  }

  /** Returns this query for the page at the given handle. */
  public FeatureQuery after(String nextHandle) {
    return new FeatureQuery(new Builder(asked).after(nextHandle));
  }

  /** Joins texts with their lengths, so that "a, b" differs from "a" and "b". */
  private static String apart(List<String> texts) {
    return texts.stream().map(text -> text.length() + ":" + text).toList().toString();
  }

  /** Returns all that decides which features come in which order, as text. */
  String fingerprint() {
    return String.join(
        "\n",
        asked.collections.toString(),
        ids().map(FeatureQuery::apart).orElse("all"),
        String.valueOf(asked.area),
        String.valueOf(asked.tagFilter),
        asked.filters.toString(),
        asked.stateSelection.toString(),
        String.valueOf(asked.featureOrder));
  }

  /** Builder of a query. */
  public static final class Builder {

    private final List<String> collections;
    private @Nullable List<String> ids;
    private @Nullable Area area;
    private @Nullable TagFilter tagFilter;
    private final List<FeatureFilter> filters = new ArrayList<>();
    private StateSelection stateSelection = new StateSelection.Current();
    private @Nullable FeatureOrder featureOrder;
    private @Nullable List<FeatureField> selection;
    private boolean clipped;
    private @Nullable Integer limit;
    private @Nullable String handle;

    private Builder(List<String> collections) {
      this.collections = collections;
    }

    private Builder(Builder other) {
      this.collections = other.collections;
      this.ids = other.ids;
      this.area = other.area;
      this.tagFilter = other.tagFilter;
      this.filters.addAll(other.filters);
      this.stateSelection = other.stateSelection;
      this.featureOrder = other.featureOrder;
      this.selection = other.selection;
      this.clipped = other.clipped;
      this.limit = other.limit;
      this.handle = other.handle;
    }

    /** Selects only features with these ids. */
    public Builder ids(List<String> wanted) {
      if (wanted.size() > MOST_IDS || wanted.stream().anyMatch(id -> id.indexOf('\0') >= 0)) {
        throw new InvalidRequestException(
            "%d ids, or one with NUL, can't be looked for; give at most %d"
                .formatted(wanted.size(), MOST_IDS));
      }
      ids = List.copyOf(wanted);
      return this;
    }

    /** Selects only features that touch an area. */
    public Builder in(Area wanted) {
      QueryLimits.check(wanted);
      area = wanted;
      return this;
    }

    /** Selects only features with tags. */
    public Builder tagged(TagFilter wanted) {
      tagFilter = wanted;
      return this;
    }

    /** Adds a condition; a feature must satisfy all conditions that were added. */
    public Builder where(FeatureFilter condition) {
      QueryLimits.check(condition);
      filters.add(condition);
      return this;
    }

    /** Selects the states after a transaction. */
    public Builder at(Txn version) {
      return states(new StateSelection.At(version));
    }

    /** Selects the states at a moment. */
    public Builder at(Instant moment) {
      return states(new StateSelection.AtMoment(moment));
    }

    /** Includes features that are deleted and not purged, in their last state. */
    public Builder withDeleted() {
      return states(new StateSelection.WithDeleted());
    }

    /** Selects every state that is kept. */
    public Builder allVersions() {
      return states(new StateSelection.All());
    }

    /** Selects other states than the current ones. */
    public Builder states(StateSelection wanted) {
      stateSelection = wanted;
      return this;
    }

    /** Sets the order; the default is by id. */
    public Builder orderBy(FeatureOrder wanted) {
      featureOrder = wanted;
      return this;
    }

    /**
     * Selects some fields of each feature; its id, its type, its geometry and the metadata of the
     * storage are always there. Such a feature must not be written back.
     */
    public Builder select(List<FeatureField> fields) {
      if (fields.size() > MOST_FIELDS) {
        throw new InvalidRequestException(
            "%d fields are selected; select at most %d".formatted(fields.size(), MOST_FIELDS));
      }
      selection = List.copyOf(fields);
      return this;
    }

    /** Geometries are cut to the area, which is a box, a tile or a shape without a distance. */
    public Builder clip() {
      clipped = true;
      return this;
    }

    /**
     * Sets the maximum number of features, over all collections.
     *
     * @param most from 1 to {@link #HIGHEST_LIMIT}
     */
    public Builder limit(int most) {
      if (most < 1 || most > HIGHEST_LIMIT) {
        throw new InvalidRequestException(
            "a limit of %d features; give 1 to %d, and go on with the handle"
                .formatted(most, HIGHEST_LIMIT));
      }
      limit = most;
      return this;
    }

    /** Goes on where an answer to the same question has ended. */
    public Builder after(String nextHandle) {
      handle = nextHandle;
      return this;
    }

    public FeatureQuery build() {
      if (clipped && !(area instanceof Area.Box) && !(area instanceof Area.Shape)) {
        throw new InvalidRequestException(
            "geometries can be cut to a box, a tile or a shape; ask in one, or don't cut");
      }
      return new FeatureQuery(new Builder(this));
    }
  }
}
