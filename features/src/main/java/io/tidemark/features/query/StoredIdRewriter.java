// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.model.CollectionInfo;
import java.util.List;

/**
 * Rewriter of conditions on ids to the stored form of a collection: an id with the prefix of the
 * collection means the one without it, in queries as in writes.
 *
 * @param collection the collection with the prefix
 */
record StoredIdRewriter(CollectionInfo collection) {

  List<String> toStored(List<String> ids) {
    return ids.stream().map(collection::stored).toList();
  }

  FeatureFilter toStored(FeatureFilter featureFilter) {
    return collection.idPrefix().isEmpty() ? featureFilter : stored(featureFilter);
  }

  private FeatureFilter stored(FeatureFilter featureFilter) {
    if (featureFilter instanceof FeatureFilter.Not not) {
      return new FeatureFilter.Not(stored(not.part()));
    }
    if (featureFilter instanceof FeatureFilter.All all) {
      return new FeatureFilter.All(all.parts().stream().map(this::stored).toList());
    }
    if (featureFilter instanceof FeatureFilter.Any any) {
      return new FeatureFilter.Any(any.parts().stream().map(this::stored).toList());
    }
    if (featureFilter instanceof FeatureFilter.Eq eq && eq.field().equals(FeatureField.ID)) {
      return new FeatureFilter.Eq(FeatureField.ID, stored(eq.value()));
    }
    if (featureFilter instanceof FeatureFilter.Contains contains
        && contains.field().equals(FeatureField.ID)) {
      return new FeatureFilter.Contains(FeatureField.ID, stored(contains.value()));
    }
    if (featureFilter instanceof FeatureFilter.Compares compares
        && compares.field().equals(FeatureField.ID)) {
      return new FeatureFilter.Compares(
          FeatureField.ID, compares.comparison(), stored(compares.value()));
    }
    if (featureFilter instanceof FeatureFilter.StartsWith starts
        && starts.field().equals(FeatureField.ID)) {
      return new FeatureFilter.StartsWith(FeatureField.ID, collection.stored(starts.prefix()));
    }
    return featureFilter;
  }

  private JsonNode stored(JsonNode value) {
    return value.isTextual() ? FilterValues.of(collection.stored(value.textValue())) : value;
  }
}
