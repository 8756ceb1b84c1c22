// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.names.Concern;
import io.tidemark.names.view.NameEventJson;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.Watermarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Text format of the events of a watch. */
final class NameEventFormatter {

  private NameEventFormatter() {}

  /** Returns one line: the event, its record, and the watermarks before and after. */
  static String text(NameEvent event) {
    List<String> moves = new ArrayList<>();
    for (Concern concern : NameEventJson.moved(event)) {
      String before =
          event.before().map(watermarks -> watermark(watermarks, concern) + " -> ").orElse("");
      moves.add(concern.text() + " " + before + watermark(event.now().orElseThrow(), concern));
    }
    if (event.type() == NameEvent.Type.APPEARED && event.now().orElseThrow().retracted()) {
      moves.add("retracted");
    }
    event.problem().ifPresent(moves::add);
    String line =
        String.format(Locale.ROOT, "%-10s  %s", NameEventJson.type(event), event.address());
    return moves.isEmpty() ? line : line + "  " + String.join(", ", moves);
  }

  private static long watermark(Watermarks watermarks, Concern concern) {
    return watermarks.of(concern).watermark();
  }
}
