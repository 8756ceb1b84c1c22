// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.Need;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One operation of the API.
 *
 * @param method such as {@code GET}; one that is {@code GET} answers {@code HEAD} as well
 * @param template its path, such as {@code /v1/names/{address}}: a step in braces takes any text,
 *     and is a parameter of that name. A last step such as {@code {key...}} takes all that is left
 * @param need what its caller must be allowed to do
 * @param endpoint answers it
 */
public record Route(String method, String template, Need need, Endpoint endpoint) {

  private static final String REST = "...}";

  /**
   * The parameters, if this is the route of a path.
   *
   * @param steps of the path, decoded each on its own, so that one may contain a slash
   */
  Optional<Map<String, String>> match(List<String> steps) {
    List<String> wanted = steps(template);
    boolean open = wanted.get(wanted.size() - 1).endsWith(REST);
    if (open ? steps.size() < wanted.size() : steps.size() != wanted.size()) {
      return Optional.empty();
    }
    Map<String, String> found = new HashMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      String step = wanted.get(i);
      if (step.endsWith(REST)) {
        String rest = String.join("/", steps.subList(i, steps.size()));
        found.put(step.substring(1, step.length() - REST.length()), rest);
      } else if (step.startsWith("{")) {
        found.put(step.substring(1, step.length() - 1), steps.get(i));
      } else if (!step.equals(steps.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(found);
  }

  /** The steps of a path, without the empty one before the first slash. */
  static List<String> steps(String path) {
    List<String> steps = new ArrayList<>(List.of(path.split("/", -1)));
    steps.remove(0);
    return steps;
  }

  @Override
  public String toString() {
    return method + " " + template;
  }
}
