// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.model.Feature;
import io.tidemark.features.model.XyzNamespace;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One write of a batch, with its result so far. */
final class PendingWrite {

  /** The order of the database's collation "C". */
  static final Comparator<PendingWrite> BY_ID =
      Comparator.comparing(
          pendingWrite -> pendingWrite.id.getBytes(UTF_8), Arrays::compareUnsigned);

  final Write write;
  final String id;

  /** Null as long as nothing has. */
  @Nullable RowResult result;

  PendingWrite(Write write, String id) {
    this.write = write;
    this.id = id;
  }

  static List<String> ids(List<PendingWrite> rows) {
    return rows.stream().map(pendingWrite -> pendingWrite.id).toList();
  }

  /** Returns whether the write may concern an existing feature, which has to be read first. */
  boolean mayBeThere() {
    return !(write instanceof Write.Create);
  }

  /** Returns whether the write deletes the feature unconditionally. */
  boolean deletesAny() {
    return write instanceof Write.Delete && WriteValidator.expected(write) == null;
  }

  /**
   * Records a conflict: the feature is in another state than expected, or exists when it must not.
   */
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
                        WriteValidator.expected(write),
                        actual == null ? "" : actual.xyz().flatMap(XyzNamespace::uuid).orElse(""));
    result = new RowResult.Conflict(id, message, Optional.ofNullable(actual));
  }

  RowResult requireResult() {
    if (result == null) {
      throw new IllegalStateException("nothing has become of feature " + id);
    }
    return result;
  }
}
