// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Every operation there is. The first route that fits is taken, so one with a fixed step comes
 * before one that takes any text there.
 */
public final class Routes {

  /** What nearly all steps of paths are made of, which stands for itself. */
  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:";

  private final List<Route> all;

  /** The paths of the routes, in the same order. */
  private final List<PathTemplate> templates;

  /** Shapes of the requests that the routes accept, in the order of the routes. */
  private final List<RequestSchema> shapes;

  private Routes(List<Route> all, Function<Route, RequestSchema> shape) {
    this.all = List.copyOf(all);
    this.shapes = all.stream().map(shape).toList();
    this.templates = all.stream().map(route -> PathTemplate.parse(route.template())).toList();
  }

  /** Routes that take what the description of the API says they do. */
  public static Routes described(List<Route> all) {
    return new Routes(all, ApiDescription::shape);
  }

  /** Routes that have no description, and take any parameter and member. */
  public static Routes undescribed(List<Route> all) {
    return new Routes(all, route -> RequestSchema.ANY);
  }

  /** Every route, in the order in which they are tried. */
  public List<Route> all() {
    return all;
  }

  /** A route, the parameters that it found in a path, and what the request may say. */
  record Match(Route route, Map<String, String> parameters, RequestSchema shape) {}

  /**
   * Finds the route of a request.
   *
   * @param path as it came, still encoded
   * @throws ProblemException when there is none for the path, or none with this method
   */
  Match find(String method, String path) {
    List<String> steps = new ArrayList<>();
    PathTemplate.steps(path).forEach(step -> steps.add(decoded(step)));
    String wanted = method.equals("HEAD") ? "GET" : method;
    List<Route> others = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Route route = all.get(i);
      Optional<Map<String, String>> parameters = templates.get(i).match(steps);
      if (parameters.isPresent() && route.method().equals(wanted)) {
        return new Match(route, parameters.get(), shapes.get(i));
      }
      parameters.ifPresent(unused -> others.add(route));
    }
    if (others.isEmpty()) {
      throw new ProblemException(
          Problem.of(404, "no-route", "there is nothing at this path; see /openapi.json"));
    }
    TreeSet<String> allowed = new TreeSet<>();
    others.forEach(route -> allowed.add(route.method()));
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    String list = String.join(", ", allowed);
    throw new ProblemException(
        Problem.of(405, "method-not-allowed", "this path takes " + list), Map.of("Allow", list));
  }

  /**
   * A step as it is meant. What is no text, or has characters that nobody can see, is no part of a
   * path: it would only be there to be read differently by somebody behind.
   */
  private static String decoded(String step) {
    if (isPlain(step)) {
      return step;
    }
    try {
      String text = QueryStringParser.decodeStep(step);
      if (text.chars().noneMatch(Character::isISOControl)) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      // is told below
    }
    throw new ProblemException(
        Problem.of(
            400,
            "invalid-path",
            "the path isn't text in UTF-8, encoded by '%' and two digits, without controls"));
  }

  private static boolean isPlain(String step) {
    for (int i = 0; i < step.length(); i++) {
      if (PLAIN.indexOf(step.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }
}
