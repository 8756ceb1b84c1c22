// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Xyz;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One write of a batch, and what has become of it so far. */
final class Row {

  /** The order of the database's collation "C". */
  static final Comparator<Row> BY_ID =
      Comparator.comparing(row -> row.id.getBytes(UTF_8), Arrays::compareUnsigned);

  final Write write;
  final String id;

  /** Null as long as nothing has. */
  @Nullable RowResult result;

  Row(Write write, String id) {
    this.write = write;
    this.id = id;
  }

  static List<String> ids(List<Row> rows) {
    return rows.stream().map(row -> row.id).toList();
  }

  /** Whether the feature has to be looked for first. */
  boolean mayBeThere() {
    return !(write instanceof Write.Create);
  }

  /** Whether it deletes the feature, in whatever state that is. */
  boolean deletesAny() {
    return write instanceof Write.Delete && RowIds.expected(write) == null;
  }

  /** The feature is in another state than is expected, or there when it should not be. */
  void conflict(@Nullable Feature actual) {
    boolean create = write instanceof Write.Create;
    String message =
        create && actual == null
            ? ("The feature with the id '%s' isn't there and can't be created; others have deleted it"
                    + " meanwhile, or a BEFORE trigger of the collection's keeps it out")
                .formatted(id)
            : create
                ? "The feature with the id '%s' does exist already".formatted(id)
                : "The feature '%s' uuid '%s' does not match: '%s'"
                    .formatted(
                        id,
                        RowIds.expected(write),
                        actual == null ? "" : actual.xyz().flatMap(Xyz::uuid).orElse(""));
    result = new RowResult.Conflict(id, message, Optional.ofNullable(actual));
  }

  RowResult known() {
    if (result == null) {
      throw new IllegalStateException("nothing has become of feature " + id);
    }
    return result;
  }
}
