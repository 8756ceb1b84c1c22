// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Transfer of the index of a name to its other end, whole: every graph and every member. */
final class IndexTransfer {

  private static final int TRIES = 5;
  private static final String T = "t";
  private static final String REV = "rev";

  private IndexTransfer() {}

  /**
   * Replaces the target's index if the source's is newer and of a commit that the target has.
   *
   * @param target the record of the target as it is known, without its index if that isn't known
   * @return the index that the target has now, as it was compared or written
   */
  static ConcernValue transfer(NameRecord source, NameRecord target, TransferEndpoint to) {
    NameRecord seen = target;
    for (int i = 0; i < TRIES; i++) {
      ConcernValue there = seen.index();
      ConcernValue next = covers(seen, source) ? next(source.index(), there) : there;
      if (next.equals(there)
          || to.names().push(to.address(), Concern.INDEX, Optional.of(there), next).updated()) {
        return next;
      }
      Optional<NameRecord> now = to.record();
      if (now.isEmpty()) {
        return ConcernValue.UNBORN;
      }
      seen = now.get();
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
   * Returns the index that the target should have: its own, or a newer one of the source, which
   * keeps the graphs that only the target has or has in a later state.
   */
  private static ConcernValue next(ConcernValue source, ConcernValue target) {
    if (source.isUnborn() || !isNewer(source, target)) {
      return target;
    }
    if (source.payload().isEmpty() || target.payload().isEmpty()) {
      return source;
    }
    ObjectNode next = source.payload().get().toTree();
    for (Map.Entry<String, JsonNode> graph : target.payload().get().toTree().properties()) {
      if (staysInTarget(graph.getValue(), next.get(graph.getKey()))) {
        next.set(graph.getKey(), graph.getValue());
      }
    }
    return ConcernValue.of(source.watermark(), Payload.of(next));
  }

  /**
   * Returns whether a graph of the target stays, given what the source has in its place, if
   * anything.
   */
  private static boolean staysInTarget(JsonNode graph, @Nullable JsonNode moved) {
    if (!graph.path(T).isNumber() || moved == null) {
      return graph.path(T).isNumber();
    }
    return moved.path(T).isNumber() && (compare(graph, moved, T) > 0 || isLater(graph, moved));
  }

  /**
   * Returns whether an index is to replace another: it is of a later {@code t}, or differs at the
   * same one and wasn't rebuilt less often.
   */
  static boolean isNewer(ConcernValue index, ConcernValue other) {
    if (index.watermark() != other.watermark()) {
      return index.watermark() > other.watermark();
    }
    return !index.equals(other) && (hasLaterGraph(index, other) || !hasLaterGraph(other, index));
  }

  /** Returns whether a graph was rebuilt more often at the {@code t} that both have it at. */
  private static boolean hasLaterGraph(ConcernValue index, ConcernValue other) {
    JsonNode known = tree(other);
    return tree(index).properties().stream()
        .anyMatch(graph -> isLater(graph.getValue(), known.path(graph.getKey())));
  }

  private static boolean isLater(JsonNode graph, JsonNode other) {
    return graph.path(T).isNumber()
        && other.path(T).isNumber()
        && compare(graph, other, T) == 0
        && compare(graph, other, REV) > 0;
  }

  /** As decimals, since a store may hold any number; what is no number counts as 0. */
  private static int compare(JsonNode graph, JsonNode other, String member) {
    return graph.path(member).decimalValue().compareTo(other.path(member).decimalValue());
  }

  private static JsonNode tree(ConcernValue index) {
    return index.payload().<JsonNode>map(Payload::toTree).orElse(MissingNode.getInstance());
  }
}
