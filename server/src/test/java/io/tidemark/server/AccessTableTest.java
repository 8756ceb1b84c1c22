// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.NameService;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.AuthRequest;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.http.Routes;
import io.tidemark.server.problem.ProblemException;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every operation, asked by everybody. */
final class AccessTableTest {

  private static final String INSIDE = "acme/crm:main";
  private static final String OUTSIDE = "acmecorp/crm:main";

  /** What {@code access.txt} says of an operation. */
  private record Line(Set<Action> actions, Set<ResourceType> realms, Optional<String> parameter) {

    static Line parse(String text) {
      if (text.equals("anybody")) {
        return new Line(Set.of(), Set.of(ResourceType.SERVER), Optional.empty());
      }
      if (text.equals("known")) {
        return new Line(Set.of(), Set.of(), Optional.empty());
      }
      String[] words = text.split(" ", -1);
      return new Line(
          Stream.of(words[0].toUpperCase(Locale.ROOT).split(","))
              .map(Action::valueOf)
              .collect(Collectors.toSet()),
          Stream.of(words[1].toUpperCase(Locale.ROOT).split(","))
              .map(ResourceType::valueOf)
              .collect(Collectors.toSet()),
          words[2].equals("some")
              ? Optional.empty()
              : Optional.of(words[2].substring(1, words[2].length() - 1)));
    }

    boolean isAnybodys() {
      return actions.isEmpty() && !realms.isEmpty();
    }

    static String text(RequiredPermission requiredPermission) {
      if (requiredPermission.actions().isEmpty()) {
        return requiredPermission.equals(RequiredPermission.authenticated()) ? "known" : "anybody";
      }
      return "%s %s %s"
          .formatted(
              words(requiredPermission.actions()),
              words(requiredPermission.realms()),
              requiredPermission.parameter().map(name -> "{" + name + "}").orElse("some"));
    }
  }

  private static String words(Set<? extends Enum<?>> values) {
    return values.stream()
        .sorted(Comparator.comparing(Enum::ordinal))
        .map(value -> value.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(","));
  }

  /** Somebody, and whether a line lets them do it to a name. */
  private record Role(String name, List<Grant> grants) {

    boolean may(Line line, String name) {
      if (line.actions.isEmpty()) {
        return true;
      }
      return line.parameter.isPresent()
          ? grants.stream()
              .anyMatch(
                  grant ->
                      line.actions.contains(grant.action())
                          && line.realms.contains(grant.realm())
                          && (grant.prefix().isEmpty() || name.startsWith("acme/")))
          : grants.stream()
              .anyMatch(
                  grant ->
                      line.actions.contains(grant.action()) && line.realms.contains(grant.realm()));
    }
  }

  private static List<Route> routes() {
    try (ServerComponents serverComponents =
        new ServerComponents(
            ServerResources.of(NameService.open("memory:")), ServerSettings.standard())) {
      return serverComponents.routes().all();
    }
  }

  private static Map<String, String> table() {
    Map<String, String> lines = new LinkedHashMap<>();
    try (InputStream in =
        AccessTableTest.class.getResourceAsStream("/io/tidemark/server/access.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
        String[] parts = line.trim().split("\\s+", 3);
        lines.put(parts[0] + " " + parts[1], parts[2]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  @Test
  void everyRouteIsInTheTableAndEveryLineIsOfARoute() {
    TreeSet<String> needed = new TreeSet<>();
    routes().forEach(route -> needed.add(route + " " + Line.text(route.need())));
    TreeSet<String> allowed = new TreeSet<>();
    table().forEach((route, line) -> allowed.add(route + " " + line));
    assertThat(needed)
        .as("what routes need; a line that is missing belongs into access.txt, if it is right")
        .isEqualTo(allowed);
  }

  @Test
  void everyRouteLetsThoseInWhoMayAndNobodyElse(@TempDir Path directory) {
    Path file = directory.resolve("tokens");
    Map<Role, String> roles = roles(new TokenFile(file));
    AccessControl accessControl = AccessControl.of(AccessSettings.none().withTokens(file));
    Map<String, String> table = table();
    List<String> wrong = new ArrayList<>();
    for (Route route : routes()) {
      Line line = Line.parse(table.getOrDefault(route.toString(), "admin server some"));
      for (String name : List.of(INSIDE, OUTSIDE)) {
        for (Map.Entry<Role, String> role : roles.entrySet()) {
          int expected = expected(line, role.getKey(), name);
          int actual = asked(accessControl, route.need(), name, role.getValue());
          if (actual != expected) {
            wrong.add(
                "%s as %s on %s: %d, not %d"
                    .formatted(route, role.getKey().name(), name, actual, expected));
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** What the gate says to who has a token. */
  private static int asked(
      AccessControl accessControl,
      RequiredPermission requiredPermission,
      String name,
      String token) {
    Map<String, String> parameters = new HashMap<>();
    requiredPermission.parameter().ifPresent(parameter -> parameters.put(parameter, name));
    try {
      Caller caller =
          accessControl.authorize(
              AuthRequest.with("Bearer " + token), requiredPermission, parameters);
      assertThat(caller).isNotNull();
      return 204;
    } catch (ProblemException e) {
      return e.problem().status();
    }
  }

  @Test
  void everyRouteIsBehindTheGate(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("tokens");
    Map<Role, String> roles = roles(new TokenFile(file));
    List<Route> stubs =
        routes().stream()
            .map(
                route ->
                    new Route(
                        route.method(),
                        route.template(),
                        route.need(),
                        httpRequestContext -> RouteResponse.empty(204)))
            .toList();
    Map<String, String> table = table();
    List<String> wrong = new ArrayList<>();
    try (TidemarkServer server =
        TidemarkServer.start(
            ServerSettings.standard().withPort(0),
            new ServerComponents(Routes.undescribed(stubs)),
            AccessControl.of(AccessSettings.none().withTokens(file)))) {
      for (Route route : stubs) {
        Line line = Line.parse(table.getOrDefault(route.toString(), "admin server some"));
        URI uri = server.address().resolve(path(route, line, INSIDE));
        boolean open = line.isAnybodys();
        Map<Optional<String>, Integer> expected = new LinkedHashMap<>();
        expected.put(Optional.empty(), open ? 204 : 401);
        for (Map.Entry<Role, String> role : roles.entrySet()) {
          boolean first = !open && role.getKey().may(line, INSIDE);
          if (role.getKey().grants().isEmpty() || (first && !expected.containsValue(204))) {
            expected.put(Optional.of(role.getValue()), expected(line, role.getKey(), INSIDE));
          }
        }
        for (Map.Entry<Optional<String>, Integer> one : expected.entrySet()) {
          int actual = status(route.method(), uri, one.getKey());
          if (actual != one.getValue()) {
            wrong.add("%s: %d, not %d".formatted(route, actual, one.getValue()));
          }
        }
        int bad = status(route.method(), uri, Optional.of("tm_000000000000_x"));
        if (open ? bad != 204 : bad != 401 && bad != 429) {
          wrong.add(route + " with a bad token: " + bad);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static int expected(Line line, Role role, String name) {
    if (line.actions.isEmpty() || role.may(line, name)) {
      return 204;
    }
    return line.actions.contains(Action.READ) && line.parameter.isPresent() ? 404 : 403;
  }

  /** For each action and realm somebody who may do it to all, and in some realms to some. */
  private static Map<Role, String> roles(TokenFile file) {
    Map<Role, String> roles = new LinkedHashMap<>();
    for (ResourceType resourceType : ResourceType.values()) {
      for (Action action : Action.values()) {
        List<String> prefixes =
            resourceType == ResourceType.SERVER ? List.of("") : List.of("", "acme/");
        for (String prefix : prefixes) {
          Grant grant = new Grant(action, resourceType, prefix);
          String name = grant.toString().replaceAll("[:/]", "-") + "x";
          TokenRecord.NewToken newToken =
              TokenRecord.create(name, List.of(grant), Instant.now(), Optional.empty());
          file.add(newToken.token());
          roles.put(new Role(grant.toString(), List.of(grant)), newToken.secret());
        }
      }
    }
    TokenRecord.NewToken none =
        TokenRecord.create("none", List.of(), Instant.now(), Optional.empty());
    file.add(none.token());
    roles.put(new Role("nothing", List.of()), none.secret());
    return roles;
  }

  private static String path(Route route, Line line, String name) {
    String path = route.template();
    if (line.parameter.isPresent()) {
      path =
          path.replaceAll("\\{" + line.parameter.get() + "(\\.\\.\\.)?}", name.replace("/", "%2F"));
    }
    return path.replaceAll("\\{[^}]*}", "x");
  }

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static int status(String method, URI uri, Optional<String> token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody());
    token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() >= 400) {
      OpenApiResponseValidator.check(request.build(), response);
    }
    return response.statusCode();
  }
}
