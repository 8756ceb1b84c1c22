// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.branch.MergeOutcome.FieldConflict;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Field-by-field merge of one row of two sides. A change of one side is taken, an equal change of
 * both stays, and different changes of both are a conflict. When the sides have more than one merge
 * base, the result has to be equal by each of them; else it is a conflict too, since the order of
 * the changes is unknown.
 *
 * @param fields the row, with conflicts resolved as requested
 */
record FieldMerge(ObjectNode fields, List<FieldConflict> conflicts) {

  /** Merges a row; one that a base lacks has an empty object there. */
  static FieldMerge of(
      List<ObjectNode> bases,
      ObjectNode ours,
      ObjectNode theirs,
      ConflictResolution conflictResolution) {
    ObjectNode fields = CanonicalJson.object();
    List<FieldConflict> conflicts = new ArrayList<>();
    List<ObjectNode> all = new ArrayList<>(bases);
    all.addAll(List.of(ours, theirs));
    for (String name : PayloadComparison.names(all)) {
      JsonNode mine = ours.get(name);
      JsonNode other = theirs.get(name);
      Side side = Side.EITHER;
      for (ObjectNode base : bases) {
        side = side.and(side(base.get(name), mine, other));
      }
      if (side == Side.NEITHER) {
        conflicts.add(conflict(name, bases.get(0).get(name), mine, other));
        side = conflictResolution == ConflictResolution.THEIRS ? Side.THEIRS : Side.OURS;
      }
      JsonNode value = side == Side.THEIRS ? other : mine;
      if (value != null) {
        fields.set(name, value);
      }
    }
    return new FieldMerge(fields, conflicts);
  }

  /** Side whose value is taken. */
  private enum Side {
    EITHER,
    OURS,
    THEIRS,
    NEITHER;

    Side and(Side next) {
      return this == EITHER || this == next ? next : next == EITHER ? this : NEITHER;
    }
  }

  private static Side side(
      @Nullable JsonNode base, @Nullable JsonNode ours, @Nullable JsonNode theirs) {
    if (PayloadComparison.equalByValue(ours, theirs)) {
      return Side.EITHER;
    }
    if (PayloadComparison.equalByValue(base, ours)) {
      return Side.THEIRS;
    }
    return PayloadComparison.equalByValue(base, theirs) ? Side.OURS : Side.NEITHER;
  }

  private static FieldConflict conflict(
      String name, @Nullable JsonNode base, @Nullable JsonNode ours, @Nullable JsonNode theirs) {
    return new FieldConflict(
        name, Optional.ofNullable(base), Optional.ofNullable(ours), Optional.ofNullable(theirs));
  }
}
