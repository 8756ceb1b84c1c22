// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.Field;
import io.tidemark.features.view.FeatureJson;
import io.tidemark.features.view.PlanJson;
import io.tidemark.features.view.QueryJson;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark features query COLLECTION...}. */
@Command(
    name = "query",
    description =
        "Finds features by place, tags and properties, as they are or as they were. All pages of an"
            + " answer are of the moment of the first. With --json, a GeoJSON FeatureCollection.",
    footer = {
      "",
      "Conditions:",
      "  p.speed>=50, p.name='Main street','Broadway', p.lanes.0!=1, p.refs@>{\"id\":7},",
      "  p.end=.null of a property that is null or absent, f.author=ann of what is",
      "  noted of a state, f.id=r1; joined by &",
      "",
      "Exit code 4: a condition, a place or a page isn't understood.",
      "",
      "Examples:",
      "  tidemark features query roads --bbox 8.6,50.1,8.7,50.2 --where 'p.speed>=50'",
      "  tidemark features query stops --near 8.61,50.12,500 --tags bus,tram+night",
      "  tidemark features query stops --touching city.geojson --distance 250",
      "  tidemark features query roads --tile 1202033020 --clip --json",
      "  tidemark features query roads --here-tile 12201203120220 --outside",
      "  tidemark features query roads --at 2026-11-16T12:00:00Z --order p.name",
      "  tidemark features query roads --select p.name,p.speed --limit 10 --json",
      "  tidemark features query roads --where f.id=r1 --versions"
    })
final class QueryVerb implements Callable<Integer> {

  private static final int USUAL_LIMIT = 1_000;

  @Spec private CommandSpec spec;
  @Mixin private ReadChoice read;
  @Mixin private PlaceOptions places;

  @Parameters(
      arity = "1..*",
      paramLabel = "COLLECTION",
      description = "The ids of collections; their features come in one answer.")
  private List<String> collections = List.of();

  @Option(
      names = "--tags",
      paramLabel = "TAGS",
      description = "Only with a,b (one of them) or a+b (both); can be mixed.")
  private List<String> tags = List.of();

  @Option(
      names = "--where",
      paramLabel = "EXPR",
      description = "Only those of which this is true; can be repeated.")
  private List<String> conditions = List.of();

  @Option(
      names = "--order",
      paramLabel = "FIELD",
      description = "What to order by: f.id, f.updatedAt, p.name, 'p.name desc'. Default: f.id")
  private @Nullable String order;

  @Option(
      names = "--select",
      split = ",",
      paramLabel = "FIELD",
      description = "Only these of the properties, separated by commas.")
  private List<String> selected = List.of();

  @Option(names = "--limit", paramLabel = "N", description = "At most so many. Default: 1000")
  private int limit = USUAL_LIMIT;

  @Option(
      names = "--page",
      paramLabel = "HANDLE",
      description = "Behind the page of this query that named this as its next.")
  private @Nullable String page;

  @Option(
      names = "--at",
      paramLabel = "TXN|TIME",
      description =
          "As they were after a transaction, or at a time; without an offset it is local. The next"
              + " page takes the exact time that this one names.")
  private @Nullable String at;

  @Option(names = "--deleted", description = "The last states of deleted features, too.")
  private boolean deleted;

  @Option(names = "--versions", description = "All states that are kept.")
  private boolean versions;

  @Option(names = "--explain", description = "Say how PostgreSQL would answer it.")
  private boolean explain;

  @Override
  public Integer call() {
    if ((at == null ? 0 : 1) + (deleted ? 1 : 0) + (versions ? 1 : 0) > 1) {
      throw new ParameterException(
          spec.commandLine(), "--at, --deleted and --versions exclude one another; say one");
    }
    ObjectNode query = query();
    return explain ? explain(query) : ask(query);
  }

  private ObjectNode query() {
    ObjectNode query = JsonNodeFactory.instance.objectNode();
    collections.forEach(query.putArray("collections")::add);
    places.addTo(query);
    tags.forEach(query.putArray("tags")::add);
    conditions.forEach(query.putArray("where")::add);
    selected.forEach(query.putArray("select")::add);
    query.put("order", order == null ? null : order(order));
    query.put("cursor", page).put("limit", limit);
    query.put("at", at == null ? null : Moment.parse(at, spec).text());
    return query.put("deleted", deleted).put("versions", versions);
  }

  private String order(String text) {
    String[] words = text.strip().split("\\s+", -1);
    String direction = words.length > 1 ? words[1].toLowerCase(Locale.ROOT) : "asc";
    if (words.length > 2 || !(direction.equals("asc") || direction.equals("desc"))) {
      throw new ParameterException(
          spec.commandLine(),
          "--order takes a field, and asc or desc behind it, unlike '" + text + "'");
    }
    Field unused = Field.parse(words[0]);
    return direction.equals("asc") ? words[0] : "-" + words[0];
  }

  private int ask(ObjectNode query) {
    FeatureQuery checked = QueryJson.parse(query);
    JsonNode found =
        read.answer(
            reading -> FeatureJson.page(reading.query(checked)), server -> server.query(query));
    if (at != null && found instanceof ObjectNode page) {
      page.set("at", query.path("at")); // which a program gives with the next page
    }
    String text = "no features";
    if (!found.path("features").isEmpty() && !read.storage().json()) {
      text = versions || deleted ? ShownFeatures.states(found) : ShownFeatures.table(found);
    }
    if (found.hasNonNull("next")) {
      text += System.lineSeparator() + "more with " + onwards(query, found);
    }
    read.storage().print(found, text);
    return ExitCodes.OK;
  }

  /**
   * Returns the options of the next page, with the moment that a time of any form was taken for.
   */
  private static String onwards(ObjectNode query, JsonNode found) {
    String page = "--page " + found.path("next").asText();
    return query.hasNonNull("at") ? "--at " + query.path("at").asText() + " " + page : page;
  }

  private int explain(ObjectNode query) {
    FeatureQuery checked = QueryJson.parse(query);
    JsonNode explained =
        read.answer(
            reading -> PlanJson.of(reading.explain(checked)), server -> server.explain(query));
    read.storage()
        .print(
            explained,
            StreamSupport.stream(explained.path("plan").spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.joining(System.lineSeparator())));
    return ExitCodes.OK;
  }
}
