// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.model.CollectionInfo;
import java.util.List;

/**
 * What is asked of ids, put as a collection stores them: whoever gives an id with the prefix of the
 * collection means the one without it, here as when it was written.
 *
 * @param collection whose prefix it is
 */
record StoredIds(CollectionInfo collection) {

  List<String> of(List<String> ids) {
    return ids.stream().map(collection::stored).toList();
  }

  Filter of(Filter filter) {
    return collection.idPrefix().isEmpty() ? filter : stored(filter);
  }

  private Filter stored(Filter filter) {
    if (filter instanceof Filter.Not not) {
      return new Filter.Not(stored(not.part()));
    }
    if (filter instanceof Filter.All all) {
      return new Filter.All(all.parts().stream().map(this::stored).toList());
    }
    if (filter instanceof Filter.Any any) {
      return new Filter.Any(any.parts().stream().map(this::stored).toList());
    }
    if (filter instanceof Filter.Eq eq && eq.field().equals(Field.ID)) {
      return new Filter.Eq(Field.ID, stored(eq.value()));
    }
    if (filter instanceof Filter.Contains contains && contains.field().equals(Field.ID)) {
      return new Filter.Contains(Field.ID, stored(contains.value()));
    }
    if (filter instanceof Filter.Beyond beyond && beyond.field().equals(Field.ID)) {
      return new Filter.Beyond(Field.ID, beyond.comparison(), stored(beyond.value()));
    }
    if (filter instanceof Filter.StartsWith starts && starts.field().equals(Field.ID)) {
      return new Filter.StartsWith(Field.ID, collection.stored(starts.prefix()));
    }
    return filter;
  }

  private JsonNode stored(JsonNode value) {
    return value.isTextual() ? Values.of(collection.stored(value.textValue())) : value;
  }
}
