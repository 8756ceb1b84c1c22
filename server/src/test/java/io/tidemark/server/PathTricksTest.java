// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.NameService;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In every parameter of every operation, of its path and of its query, what nobody means. */
@Timeout(300)
final class PathTricksTest {

  private static final List<String> TRICKS =
      List.of(
          "..",
          ".",
          "../..",
          "..%2F..%2Fetc%2Fpasswd",
          "%2e%2e",
          "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
          "%252e%252e%252f",
          "..%5c..%5cwindows",
          "%2Fetc%2Fpasswd",
          "//",
          "a//b",
          "a;x=y",
          "..;/..;/",
          "%00",
          "a%00.json",
          "%0d%0aX-Injected:%20yes",
          "%ff%fe",
          "%c0%ae%c0%ae%c0%af",
          "%ed%a0%80",
          "%",
          "%zz",
          "%u002e",
          "'%20OR%20'1'='1",
          "x';DROP%20TABLE%20a;--",
          "%22%7d%5d",
          "$%7Bjndi:ldap:%2F%2F127.0.0.1%2Fa%7D",
          "%7B%7B7*7%7D%7D",
          "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
          "a".repeat(5000),
          "-1",
          "9223372036854775808",
          "NaN",
          "%E2%80%AE",
          "CON",
          "~root");

  private static final Pattern PARAMETER = Pattern.compile("\\{([^}.]+)(\\.\\.\\.)?}");
  private static final Pattern TELLTALE =
      Pattern.compile("(?i)exception|\\bat (io|java|org|com)\\.|root:|jetty|text/html");

  private static final boolean SOAK = Boolean.getBoolean("soak");

  private int turns;

  @Test
  void nothingFailsNothingIsToldAndNothingIsWrittenElsewhere(@TempDir Path directory)
      throws IOException {
    Path data = Files.createDirectories(directory.resolve("a/b/data"));
    List<String> wrong = new ArrayList<>();
    int asked = 0;
    try (NameService names = NameService.open(data.toString());
        TidemarkServer server =
            TidemarkServer.start(
                ServerSettings.standard().withPort(0),
                Holdings.of(names),
                io.tidemark.server.access.Gate.open())) {
      for (Route route : server.routes().all()) {
        for (String target : targets(route)) {
          asked++;
          check(server, route, target, wrong);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(asked).isGreaterThanOrEqualTo(TRICKS.size());
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile)).allMatch(file -> file.startsWith(data));
    }
  }

  private static void check(TidemarkServer server, Route route, String target, List<String> wrong) {
    String shown = route.method() + " " + target.substring(0, Math.min(120, target.length()));
    try (Peer peer = new Peer(server)) {
      String body = route.method().equals("GET") ? "" : "{}";
      peer.send(
          "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(route.method(), target, body.length(), body));
      String answer = peer.rest();
      int status = Peer.status(answer);
      boolean guessed = !answer.contains("X-Content-Type-Options: nosniff");
      if (status == 0 || status == 500 || guessed || answer.contains("\r\nX-Injected")) {
        wrong.add(shown + ": " + answer.substring(0, Math.min(400, answer.length())));
      }
      boolean telling = TELLTALE.matcher(answer).find() && !route.template().contains("openapi");
      if (telling) {
        wrong.add(shown + " tells " + answer);
      }
    }
  }

  /**
   * What to ask: tricks in each parameter, with harmless values in the others. In the ordinary
   * build each parameter gets some of them, and the next one the next.
   */
  private List<String> targets(Route route) {
    List<String> targets = new ArrayList<>();
    Matcher matcher = PARAMETER.matcher(route.template());
    while (matcher.find()) {
      String before = harmless(route.template().substring(0, matcher.start()));
      String after = harmless(route.template().substring(matcher.end()));
      some(4).forEach(trick -> targets.add(before + trick + after));
    }
    for (String query : queries(route)) {
      String path = harmless(route.template());
      some(9).forEach(trick -> targets.add(path + "?" + query + "=" + trick));
    }
    return targets;
  }

  private List<String> some(int part) {
    int turn = turns++;
    return IntStream.range(0, TRICKS.size())
        .filter(i -> SOAK || i % part == turn % part)
        .mapToObj(TRICKS::get)
        .toList();
  }

  private static String harmless(String template) {
    return PARAMETER.matcher(template).replaceAll("x");
  }

  private static Set<String> queries(Route route) {
    Set<String> names = new TreeSet<>();
    String path = PARAMETER.matcher(route.template()).replaceAll("{$1}");
    JsonNode item = Promises.document().path("paths").path(path);
    JsonNode operation = item.path(route.method().toLowerCase(Locale.ROOT));
    for (JsonNode list : List.of(item.path("parameters"), operation.path("parameters"))) {
      for (JsonNode one : list) {
        JsonNode parameter =
            one.has("$ref") ? Promises.document().at(one.path("$ref").asText().substring(1)) : one;
        if (parameter.path("in").asText().equals("query")) {
          names.add(parameter.path("name").asText());
        }
      }
    }
    return names;
  }
}
