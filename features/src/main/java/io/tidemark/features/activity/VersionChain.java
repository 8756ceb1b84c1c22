// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.activity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.XyzNamespace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The states of a feature in the order in which they were made. Transaction numbers don't give this
 * order: a transaction that took its number early may commit late. So each state follows the one it
 * was made from. A feature that was deleted and created again starts a new life; the life that goes
 * on is the last, and the others come in the order of the transactions that began them.
 */
public final class VersionChain {

  private VersionChain() {}

  /**
   * Links between a state and its predecessor.
   *
   * @param uuid its own
   * @param puuid that of the state it was made from; empty when there was none
   * @param goesOn whether nothing has replaced it
   */
  public record Link(String uuid, String puuid, boolean goesOn) {}

  /**
   * Sorts states.
   *
   * @param states all of a feature that are kept, by transaction and row
   */
  public static List<Feature> sort(List<Feature> states) {
    return sort(states, VersionChain::link);
  }

  /** Sorts states oldest first, for any type of which a link is known. */
  public static <T> List<T> sort(List<T> states, Function<T, Link> link) {
    Set<String> kept =
        states.stream().map(state -> link.apply(state).uuid()).collect(Collectors.toSet());
    Map<String, T> after = new LinkedHashMap<>();
    List<T> firsts = new ArrayList<>();
    for (T state : states) {
      String before = link.apply(state).puuid();
      if (before.isEmpty() || !kept.contains(before) || after.containsKey(before)) {
        firsts.add(state);
      } else {
        after.put(before, state);
      }
    }
    List<List<T>> lives = new ArrayList<>();
    firsts.forEach(first -> lives.add(life(first, after, link)));
    while (!after.isEmpty()) { // somebody has tied them to a ring; none is to be lost
      Iterator<T> left = after.values().iterator();
      T any = left.next();
      left.remove();
      lives.add(life(any, after, link));
    }
    lives.sort(Comparator.comparing(life -> link.apply(life.get(life.size() - 1)).goesOn()));
    return lives.stream().flatMap(Collection::stream).toList();
  }

  /** Returns a state and its successors, and removes them from the map. */
  private static <T> List<T> life(T first, Map<String, T> after, Function<T, Link> link) {
    List<T> life = new ArrayList<>();
    for (T next = first; next != null; next = after.remove(link.apply(next).uuid())) {
      life.add(next);
    }
    return life;
  }

  private static Link link(Feature state) {
    return new Link(
        text(state, "uuid"), text(state, "puuid"), xyz(state).path("txn_next").asLong() == 0);
  }

  private static String text(Feature state, String field) {
    return xyz(state).path(field).asText("");
  }

  private static JsonNode xyz(Feature state) {
    return state.xyz().map(XyzNamespace::json).orElse(MissingNode.getInstance());
  }
}
