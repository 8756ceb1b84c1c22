// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.Maintenance;
import io.tidemark.features.maintain.Statistics;
import io.tidemark.features.maintain.Step;
import io.tidemark.features.maintain.Upkeep;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What the maintainer has done. */
public final class MaintenanceJson {

  private MaintenanceJson() {}

  /** Reads {@code {"mergeMonths": true, "keepLog": days}}; what isn't given isn't done. */
  public static MaintainOptions options(ObjectNode json) {
    Members wanted = new Members(json, "the maintenance").only(Set.of("mergeMonths", "keepLog"));
    MaintainOptions options = MaintainOptions.defaults();
    if (wanted.flag("mergeMonths")) {
      options = options.mergingMonths();
    }
    Optional<Long> days = wanted.whole("keepLog");
    return days.isPresent() ? options.keepingLogFor(days.get()) : options;
  }

  /** {@code {"result": "done", "upkeep": […]}}, or {@code {"result": "busy"}}. */
  public static ObjectNode of(Maintenance ended) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (!(ended instanceof Maintenance.Done done)) {
      return json.put("result", "busy");
    }
    ArrayNode list = json.put("result", "done").putArray("upkeep");
    done.upkeep().forEach(each -> list.add(of(each)));
    return json;
  }

  private static ObjectNode of(Upkeep upkeep) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("name", upkeep.name());
    ArrayNode steps = json.putArray("steps");
    for (Step step : upkeep.steps()) {
      steps
          .addObject()
          .put("kind", step.kind().name().toLowerCase(Locale.ROOT))
          .put("table", step.table())
          .put("detail", step.detail());
    }
    if (upkeep.statistics() != null) {
      json.set("statistics", of(upkeep.statistics()));
    }
    return json.put("failure", upkeep.failure());
  }

  private static ObjectNode of(Statistics measured) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("features", measured.features())
            .put("byteSize", measured.byteSize())
            .put("compressedSize", measured.compressedSize());
    ObjectNode parts = json.putObject("by_qrid");
    measured.byQrid().forEach(parts::put);
    return json;
  }
}
