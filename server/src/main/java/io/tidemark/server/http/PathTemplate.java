// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parsed path of a route, to match requests fast.
 *
 * <p>Jetty's {@code PathMappings} of {@code UriTemplatePathSpec}s match a path against one regular
 * expression each, which for 98 routes takes 6 to 7 microseconds a request instead of 0.1. They
 * also support neither a last step that takes the rest of the path nor empty steps.
 *
 * @param steps texts between the slashes
 * @param open whether the last step takes the rest of the path
 */
record PathTemplate(List<String> steps, boolean open) {

  private static final String REST = "...}";

  static PathTemplate parse(String template) {
    List<String> steps = steps(template);
    return new PathTemplate(steps, steps.get(steps.size() - 1).endsWith(REST));
  }

  /** Returns the steps of a path, without the empty one before the first slash. */
  static List<String> steps(String path) {
    List<String> steps = List.of(path.split("/", -1));
    return steps.subList(1, steps.size());
  }

  /**
   * Returns the path parameters if a path matches.
   *
   * @param path steps of the path, each decoded separately, so that one may contain a slash
   */
  Optional<Map<String, String>> match(List<String> path) {
    return fits(path) ? Optional.of(parameters(path)) : Optional.empty();
  }

  private boolean fits(List<String> path) {
    if (open ? path.size() < steps.size() : path.size() != steps.size()) {
      return false;
    }
    for (int i = 0; i < steps.size(); i++) {
      if (!isParameter(steps.get(i)) && !steps.get(i).equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  private Map<String, String> parameters(List<String> path) {
    Map<String, String> found = new HashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      String step = steps.get(i);
      if (step.endsWith(REST)) {
        String rest = String.join("/", path.subList(i, path.size()));
        found.put(step.substring(1, step.length() - REST.length()), rest);
      } else if (isParameter(step)) {
        found.put(step.substring(1, step.length() - 1), path.get(i));
      }
    }
    return found;
  }

  private static boolean isParameter(String step) {
    return step.startsWith("{");
  }
}
