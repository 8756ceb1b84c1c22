// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.client.StreamedServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Headers of an answer that has no head of its own, as lines of JSON and files don't. */
final class StreamHeaders {

  static final String LINES = "application/x-ndjson";

  private static final Pattern MIX =
      Pattern.compile(
          "((?:entity|relation):[^;]+?): ((?:[0-9]+ rows? of version [0-9]+(?:, )?)+)"
              + " shown in version ([0-9]+)(?: \\(([^)]*) converted,)?");
  private static final Pattern ROWS = Pattern.compile("([0-9]+) rows? of version ([0-9]+)");

  private StreamHeaders() {}

  /** Returns the commit that the answer is as of. */
  static long commitId(StreamedServerResponse answer) {
    return number(answer, "Tidemark-Commit-Id");
  }

  /** Returns the number of rows of the answer. */
  static long rows(StreamedServerResponse answer) {
    return number(answer, "Tidemark-Rows");
  }

  private static long number(StreamedServerResponse answer, String header) {
    return answer
        .header(header)
        .filter(text -> text.matches("[0-9]{1,18}"))
        .map(Long::parseLong)
        .orElse(0L);
  }

  /** Returns the types with rows of other versions of their schema, as far as they are named. */
  static List<SchemaVersionMix> versions(StreamedServerResponse answer) {
    List<SchemaVersionMix> mixes = new ArrayList<>();
    Matcher mix = MIX.matcher(answer.header("Tidemark-Schema-Versions").orElse(""));
    while (mix.find()) {
      SortedMap<Long, Long> rows = new TreeMap<>();
      Matcher each = ROWS.matcher(mix.group(2));
      while (each.find()) {
        rows.put(Long.parseLong(each.group(2)), Long.parseLong(each.group(1)));
      }
      List<String> converted =
          mix.group(4) == null ? List.of() : List.of(mix.group(4).split(", ", -1));
      mixes.add(new SchemaVersionMix(mix.group(1), Long.parseLong(mix.group(3)), rows, converted));
    }
    return mixes;
  }
}
