// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import java.util.Optional;

/** Carries the index of a name to its other end, whole: every graph and every member. */
final class IndexHead {

  private static final int TRIES = 5;
  private static final String T = "t";
  private static final String REV = "rev";

  private IndexHead() {}

  /** Makes the target say what the source says, if that is newer and of a commit it has. */
  static void carry(NameRecord source, End to) {
    if (source.index().isUnborn()) {
      return;
    }
    for (int i = 0; i < TRIES; i++) {
      Optional<NameRecord> target = to.record();
      if (target.isEmpty()
          || !covers(target.get(), source)
          || !isNewer(source.index(), target.get().index())) {
        return;
      }
      ConcernValue there = target.get().index();
      if (to.names()
          .push(to.address(), Concern.INDEX, Optional.of(there), source.index())
          .updated()) {
        return;
      }
    }
    throw new ContentionException(
        "the index of "
            + to.address()
            + " in "
            + to.names().location()
            + " was changed by others each of "
            + TRIES
            + " times; try again later");
  }

  private static boolean covers(NameRecord target, NameRecord source) {
    return target.head().equals(source.head()) || target.commit().t() >= source.index().watermark();
  }

  /**
   * Whether an index is to replace another: it is of a later {@code t}, or differs at the same one
   * and wasn't rebuilt less often.
   */
  static boolean isNewer(ConcernValue index, ConcernValue other) {
    if (index.watermark() != other.watermark()) {
      return index.watermark() > other.watermark();
    }
    return !index.equals(other) && (hasLaterGraph(index, other) || !hasLaterGraph(other, index));
  }

  /** Whether a graph was rebuilt more often at the {@code t} that both have it at. */
  private static boolean hasLaterGraph(ConcernValue index, ConcernValue other) {
    JsonNode known = tree(other);
    return tree(index).properties().stream()
        .anyMatch(graph -> isLater(graph.getValue(), known.path(graph.getKey())));
  }

  private static boolean isLater(JsonNode graph, JsonNode other) {
    return graph.path(T).isNumber()
        && other.path(T).isNumber()
        && compare(graph.path(T), other.path(T)) == 0
        && compare(graph.path(REV), other.path(REV)) > 0;
  }

  /** As decimals, since a store may hold any number; what is no number counts as 0. */
  private static int compare(JsonNode number, JsonNode other) {
    return number.decimalValue().compareTo(other.decimalValue());
  }

  private static JsonNode tree(ConcernValue index) {
    return index.payload().<JsonNode>map(Payload::toTree).orElse(MissingNode.getInstance());
  }
}
