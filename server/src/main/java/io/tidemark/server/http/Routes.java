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
 * Table of all operations. The first matching route wins, so a route with a fixed step comes before
 * one that takes any text there.
 */
public final class Routes {

  /** Characters of nearly all steps of paths, which need no decoding. */
  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:";

  private final List<Route> all;

  /** Path templates of the routes, in the same order. */
  private final List<PathTemplate> templates;

  /** Shapes of the requests that the routes accept, in the order of the routes. */
  private final List<RequestSchema> shapes;

  private Routes(List<Route> all, Function<Route, RequestSchema> shape) {
    this.all = List.copyOf(all);
    this.shapes = all.stream().map(shape).toList();
    this.templates = all.stream().map(route -> PathTemplate.parse(route.template())).toList();
  }

  /** Returns routes that accept only what the description of the API lists. */
  public static Routes described(List<Route> all) {
    return new Routes(all, ApiDescription::shape);
  }

  /** Returns routes without a description, which accept any parameter and member. */
  public static Routes undescribed(List<Route> all) {
    return new Routes(all, route -> RequestSchema.ANY);
  }

  /** Returns all routes, in the order in which they are tried. */
  public List<Route> all() {
    return all;
  }

  /** Matching route, with the path parameters and the schema of the request. */
  record Match(Route route, Map<String, String> parameters, RequestSchema shape) {}

  /**
   * Finds the route of a request.
   *
   * @param path path, still encoded
   * @throws ProblemException if no route has the path, or none has it with this method
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
   * Decodes a step of a path. Refuses invalid UTF-8 and control characters, which another program
   * behind the server might interpret differently.
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
      // falls through to the problem below
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
