// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.activity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.features.Feature;
import io.tidemark.features.Xyz;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The states of a feature in the order in which they were made. Numbers of transactions don't tell:
 * one that took its number early may come late. So each state comes after the one that it was made
 * from. What was deleted and made again begins anew; of such lives, the one that goes on is the
 * last, and the others come in the order of the transactions that began them.
 */
public final class Lives {

  private Lives() {}

  /**
   * Sorts states.
   *
   * @param states all of a feature that are kept, by transaction and row
   */
  public static List<Feature> inOrder(List<Feature> states) {
    Set<String> kept =
        states.stream().map(state -> text(state, "uuid")).collect(Collectors.toSet());
    Map<String, Feature> after = new LinkedHashMap<>();
    List<Feature> firsts = new ArrayList<>();
    for (Feature state : states) {
      String before = text(state, "puuid");
      if (before.isEmpty() || !kept.contains(before) || after.containsKey(before)) {
        firsts.add(state);
      } else {
        after.put(before, state);
      }
    }
    List<List<Feature>> lives = new ArrayList<>();
    firsts.forEach(first -> lives.add(life(first, after)));
    while (!after.isEmpty()) { // somebody has tied them to a ring; none is to be lost
      Iterator<Feature> left = after.values().iterator();
      Feature any = left.next();
      left.remove();
      lives.add(life(any, after));
    }
    lives.sort(Comparator.comparing(Lives::goesOn));
    return lives.stream().flatMap(Collection::stream).toList();
  }

  /** A state and those that came after it, which are taken out. */
  private static List<Feature> life(Feature first, Map<String, Feature> after) {
    List<Feature> life = new ArrayList<>();
    for (Feature next = first; next != null; next = after.remove(text(next, "uuid"))) {
      life.add(next);
    }
    return life;
  }

  /** Whether nothing has replaced the last state. */
  private static boolean goesOn(List<Feature> life) {
    return xyz(life.get(life.size() - 1)).path("txn_next").asLong() == 0;
  }

  private static String text(Feature state, String field) {
    return xyz(state).path(field).asText("");
  }

  private static JsonNode xyz(Feature state) {
    return state.xyz().map(Xyz::json).orElse(MissingNode.getInstance());
  }
}
