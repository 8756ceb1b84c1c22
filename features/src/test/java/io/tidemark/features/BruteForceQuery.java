// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.model.Feature;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.FeatureField;
import io.tidemark.features.query.FeatureFilter;
import io.tidemark.features.query.FeatureOrder;
import io.tidemark.features.query.TagFilter;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;

/** Answers questions about points by looking at each of them, as simply as can be. */
final class BruteForceQuery {

  private BruteForceQuery() {}

  static boolean holds(FeatureFilter featureFilter, Feature feature) {
    if (featureFilter instanceof FeatureFilter.All all) {
      return all.parts().stream().allMatch(part -> holds(part, feature));
    }
    if (featureFilter instanceof FeatureFilter.Any any) {
      return any.parts().stream().anyMatch(part -> holds(part, feature));
    }
    if (featureFilter instanceof FeatureFilter.Not not) {
      return !holds(not.part(), feature);
    }
    if (featureFilter instanceof FeatureFilter.Exists exists) {
      return !value(exists.field(), feature).isMissingNode();
    }
    if (featureFilter instanceof FeatureFilter.IsNull isNull) {
      return value(isNull.field(), feature).isNull();
    }
    if (featureFilter instanceof FeatureFilter.Eq eq) {
      return same(value(eq.field(), feature), eq.value());
    }
    if (featureFilter instanceof FeatureFilter.StartsWith starts) {
      JsonNode value = value(starts.field(), feature);
      return value.isTextual() && value.textValue().startsWith(starts.prefix());
    }
    if (featureFilter instanceof FeatureFilter.Contains contains) {
      return contains(value(contains.field(), feature), contains.value());
    }
    FeatureFilter.Compares compares = (FeatureFilter.Compares) featureFilter;
    return beyond(value(compares.field(), feature), compares.comparison(), compares.value());
  }

  static JsonNode value(FeatureField featureField, Feature feature) {
    JsonNode value = feature.data();
    for (String name : featureField.path()) {
      value = value.path(name);
    }
    return value;
  }

  private static boolean same(JsonNode left, JsonNode right) {
    if (left.isNumber() && right.isNumber()) {
      return left.decimalValue().compareTo(right.decimalValue()) == 0;
    }
    return left.equals(right);
  }

  private static boolean beyond(
      JsonNode value, FeatureFilter.Comparison comparison, JsonNode bound) {
    int sign;
    if (value.isNumber() && bound.isNumber()) {
      sign = value.decimalValue().compareTo(bound.decimalValue());
    } else if (value.isTextual() && bound.isTextual()) {
      sign = value.textValue().compareTo(bound.textValue());
    } else {
      return false;
    }
    return switch (comparison) {
      case GT -> sign > 0;
      case GTE -> sign >= 0;
      case LT -> sign < 0;
      case LTE -> sign <= 0;
    };
  }

  private static boolean contains(JsonNode value, JsonNode part) {
    if (!value.isArray() || part.isArray()) {
      return same(value, part);
    }
    for (JsonNode element : value) {
      if (same(element, part)) {
        return true;
      }
    }
    return false;
  }

  static boolean tagged(TagFilter tagFilter, Feature feature) {
    List<String> own = feature.xyz().orElseThrow().tags();
    return tagFilter.anyOf().stream()
        .anyMatch(
            group ->
                group.stream()
                    .allMatch(tag -> own.contains(tag) || own.contains(TagFilter.normalize(tag))));
  }

  static boolean touches(Area area, Feature feature) {
    JsonNode at = value(new FeatureField(List.of("at")), feature);
    return at.isArray() && inside(area, at.get(0).doubleValue(), at.get(1).doubleValue());
  }

  private static boolean inside(Area area, double lon, double lat) {
    if (area instanceof Area.Box box) {
      BiPredicate<Double, Double> within =
          (west, east) -> lon >= west && lon <= east && lat >= box.south() && lat <= box.north();
      return box.west() <= box.east()
          ? within.test(box.west(), box.east())
          : within.test(box.west(), 180.0) || within.test(-180.0, box.east());
    }
    if (area instanceof Area.All all) {
      return all.parts().stream().allMatch(part -> inside(part, lon, lat));
    }
    if (area instanceof Area.Any any) {
      return any.parts().stream().anyMatch(part -> inside(part, lon, lat));
    }
    return !inside(((Area.Not) area).part(), lon, lat);
  }

  /** Numbers, texts, booleans, lists and objects; what is null or absent is last either way. */
  static Comparator<Feature> order(FeatureOrder featureOrder) {
    Comparator<Feature> byId = Comparator.comparing(f -> f.id().orElseThrow());
    if (!(featureOrder.by() instanceof FeatureOrder.ByField by)) {
      return featureOrder.direction() == FeatureOrder.Direction.ASCENDING ? byId : byId.reversed();
    }
    Comparator<Feature> byValue =
        (left, right) -> compare(value(by.field(), left), value(by.field(), right));
    Comparator<Feature> ascending = byValue.thenComparing(byId);
    Comparator<Feature> absentLast =
        Comparator.comparing(
            f -> value(by.field(), f).isNull() || value(by.field(), f).isMissingNode());
    return featureOrder.direction() == FeatureOrder.Direction.ASCENDING
        ? absentLast.thenComparing(ascending)
        : absentLast.thenComparing(ascending.reversed());
  }

  private static int compare(JsonNode left, JsonNode right) {
    int types = Integer.compare(rank(left), rank(right));
    if (types != 0) {
      return types;
    }
    return switch (rank(left)) {
      case 0 -> left.decimalValue().compareTo(right.decimalValue());
      case 1, 2 -> left.asText().compareTo(right.asText());
      default -> 0;
    };
  }

  private static int rank(JsonNode value) {
    if (value.isNumber()) {
      return 0;
    }
    if (value.isTextual()) {
      return 1;
    }
    if (value.isBoolean()) {
      return 2;
    }
    return value.isContainerNode() ? 3 : 4;
  }
}
