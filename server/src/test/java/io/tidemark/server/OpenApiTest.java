// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.models.servers.Server;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import io.tidemark.names.NameService;
import io.tidemark.server.http.Route;
import io.tidemark.server.resources.ServerResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The description of the API and the routes are the same. {@link OpenApiResponseValidator} holds
 * the answers.
 */
final class OpenApiTest {

  private static final Set<String> VERBS = Set.of("get", "put", "post", "delete", "patch");
  private static final Pattern PARAMETER = Pattern.compile("\\{([^}.]+)(\\.\\.\\.)?}");

  @Test
  void everyRouteIsDescribedAndEveryDescriptionIsOfARoute() {
    Set<String> routes =
        new ServerComponents(
                ServerResources.of(NameService.open("memory:")), ServerSettings.standard())
            .routes().all().stream()
                .map(OpenApiTest::text)
                .collect(Collectors.toCollection(TreeSet::new));
    Set<String> described = new TreeSet<>();
    operations().forEach((operation, node) -> described.add(operation));
    assertThat(described).isEqualTo(routes);
  }

  private static String text(Route route) {
    return route.method() + " " + PARAMETER.matcher(route.template()).replaceAll("{$1}");
  }

  @Test
  void everyOperationIsWhole() {
    List<String> missing = new ArrayList<>();
    Set<String> ids = new TreeSet<>();
    operations()
        .forEach(
            (name, operation) -> {
              if (!ids.add(operation.path("operationId").asText(name + " has no operationId"))) {
                missing.add(name + ": its operationId is another's");
              }
              if (!operation.has("summary") || operation.path("tags").isEmpty()) {
                missing.add(name + ": it has no summary or no tag");
              }
              if (!operation.path("responses").has("default")) {
                missing.add(name + ": it has no default response");
              }
              Set<String> declared = new TreeSet<>();
              for (JsonNode parameter : parameters(name, operation)) {
                if (parameter.path("in").asText().equals("path")) {
                  declared.add(parameter.path("name").asText());
                }
              }
              Set<String> needed = new TreeSet<>();
              Matcher matcher = PARAMETER.matcher(name);
              while (matcher.find()) {
                needed.add(matcher.group(1));
              }
              if (!declared.equals(needed)) {
                missing.add(name + ": its path has " + needed + ", declared are " + declared);
              }
            });
    assertThat(missing).isEmpty();
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    List<String> dead = new ArrayList<>();
    for (JsonNode reference : OpenApiResponseValidator.document().findValues("$ref")) {
      if (OpenApiResponseValidator.document().at(reference.asText().substring(1)).isMissingNode()) {
        dead.add(reference.asText());
      }
    }
    assertThat(dead).isEmpty();
  }

  @Test
  void aParserOfOpenApiFindsNothingWrong() {
    SwaggerParseResult parsed =
        new OpenAPIV3Parser()
            .readContents(OpenApiResponseValidator.document().toString(), null, null);
    assertThat(parsed.getMessages()).isEmpty();
    assertThat(parsed.getOpenAPI().getServers()).extracting(Server::getUrl).containsExactly("/");
    assertThat(parsed.getOpenAPI().getPaths()).hasSizeGreaterThan(70);
  }

  @Test
  void nothingInItIsCutOrLeftOut() {
    List<String> problems = new ArrayList<>();
    lint("", OpenApiResponseValidator.document(), problems);
    assertThat(problems).isEmpty();
  }

  /** The rules of strict linters, for a part of the document and all parts in it. */
  private static void lint(String path, JsonNode part, List<String> problems) {
    if (part.isNull()) {
      problems.add(path + ": is null, as a word behind a comma that isn't quoted");
    }
    if (part.isObject() && !path.endsWith("/properties")) {
      lintObject(path, part, problems);
    }
    for (Map.Entry<String, JsonNode> member : part.properties()) {
      lint(path + "/" + member.getKey(), member.getValue(), problems);
    }
    for (int i = 0; part.isArray() && i < part.size(); i++) {
      lint(path + "/" + i, part.get(i), problems);
    }
  }

  private static void lintObject(String path, JsonNode part, List<String> problems) {
    boolean response = path.matches(".*/responses/[^/]+");
    if (response && !part.has("$ref") && part.path("description").asText().isBlank()) {
      problems.add(path + ": the response has no description");
    }
    if (part.has("enum") && !part.has("type")) {
      problems.add(path + ": its values have no type");
    }
    // One of several parts may need what another one describes.
    if (part.path("type").asText().equals("object") && !path.matches(".*/allOf/[0-9]+")) {
      for (JsonNode name : part.path("required")) {
        if (!part.path("properties").has(name.asText())) {
          problems.add(path + ": needs " + name.asText() + ", which isn't described");
        }
      }
    }
    for (Map.Entry<String, JsonNode> media : part.path("content").properties()) {
      if (!media.getValue().has("schema")) {
        problems.add(path + ": " + media.getKey() + " has no schema");
      }
    }
    if (part.has("in") && part.has("name")) {
      Set<String> words = Set.of("name", "in", "required", "deprecated", "description", "schema");
      part.fieldNames()
          .forEachRemaining(
              word -> {
                if (!words.contains(word)) {
                  problems.add(path + ": a parameter has no \"" + word + "\"");
                }
              });
    }
  }

  private static List<JsonNode> parameters(String name, JsonNode operation) {
    List<JsonNode> all = new ArrayList<>();
    JsonNode item =
        OpenApiResponseValidator.document()
            .path("paths")
            .path(name.substring(name.indexOf(' ') + 1));
    for (JsonNode list : List.of(item.path("parameters"), operation.path("parameters"))) {
      for (JsonNode parameter : list) {
        all.add(
            parameter.has("$ref")
                ? OpenApiResponseValidator.document()
                    .at(parameter.path("$ref").asText().substring(1))
                : parameter);
      }
    }
    return all;
  }

  private static Map<String, JsonNode> operations() {
    Map<String, JsonNode> all = new java.util.TreeMap<>();
    for (Map.Entry<String, JsonNode> path :
        OpenApiResponseValidator.document().path("paths").properties()) {
      for (Map.Entry<String, JsonNode> entry : path.getValue().properties()) {
        if (VERBS.contains(entry.getKey())) {
          all.put(entry.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(), entry.getValue());
        }
      }
    }
    return all;
  }
}
