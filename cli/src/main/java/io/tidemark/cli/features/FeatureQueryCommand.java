// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeaturePage;
import io.tidemark.api.features.FeaturePlan;
import io.tidemark.api.features.FeatureQueryRequest;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.features.query.FeatureField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
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
final class FeatureQueryCommand implements Callable<Integer> {

  private static final int USUAL_LIMIT = 1_000;

  @Spec private CommandSpec spec;
  @Mixin private ReadMixin read;
  @Mixin private SpatialOptions places;

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
    FeatureQueryRequest query = query();
    return explain ? explain(query) : ask(query);
  }

  private FeatureQueryRequest query() {
    return places
        .in(FeatureQueryRequest.of(collections.toArray(String[]::new)))
        .withTags(tags)
        .withWhere(conditions)
        .withSelect(selected)
        .withOrder(Optional.ofNullable(order).map(this::order))
        .withCursor(Optional.ofNullable(page))
        .limit(limit)
        .withAt(Optional.ofNullable(at).map(read.storage()::moment))
        .withDeleted(deleted)
        .withVersions(versions);
  }

  private String order(String text) {
    String[] words = text.strip().split("\\s+", -1);
    String direction = words.length > 1 ? words[1].toLowerCase(Locale.ROOT) : "asc";
    if (words.length > 2 || !(direction.equals("asc") || direction.equals("desc"))) {
      throw new ParameterException(
          spec.commandLine(),
          "--order takes a field, and asc or desc behind it, unlike '" + text + "'");
    }
    FeatureField unused = FeatureField.parse(words[0]);
    return direction.equals("asc") ? words[0] : "-" + words[0];
  }

  private int ask(FeatureQueryRequest query) {
    FeaturePage found = read.ask(service -> service.queries().page(query));
    ObjectNode json = (ObjectNode) WireJson.tree(found);
    Optional<String> moment = query.at().map(FeatureMoment::text);
    moment.ifPresent(text -> json.put("at", text)); // which a program gives with the next page
    String text = "no features";
    if (!found.features().isEmpty() && !read.storage().json()) {
      text =
          versions || deleted
              ? FeatureFormatter.states(found.features())
              : FeatureFormatter.table(found.features());
    }
    if (found.next().isPresent()) {
      // A time of any form is named by the moment that it was taken for.
      String past = moment.map(then -> "--at " + then + " ").orElse("");
      text += System.lineSeparator() + "more with " + past + "--page " + found.next().get();
    }
    read.storage().print(json, text);
    return ExitCodes.OK;
  }

  private int explain(FeatureQueryRequest query) {
    FeaturePlan plan = read.ask(service -> service.queries().explain(query));
    read.storage().print(WireJson.tree(plan), String.join(System.lineSeparator(), plan.plan()));
    return ExitCodes.OK;
  }
}
