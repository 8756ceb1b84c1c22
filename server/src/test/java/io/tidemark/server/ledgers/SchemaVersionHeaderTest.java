// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.RowCount;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.server.http.RouteResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of the header that tells of rows of other versions of their schema. */
final class SchemaVersionHeaderTest {

  private static List<SchemaVersionMix> mixes(int types) {
    return IntStream.range(0, types)
        .mapToObj(
            i ->
                new SchemaVersionMix(
                    "entity:Type%03d".formatted(i), 2, new TreeMap<>(Map.of(1L, 5L)), List.of()))
        .toList();
  }

  private static String header(List<SchemaVersionMix> mixes) {
    return SchemaVersionHeader.addTo(RouteResponse.empty(204), mixes)
        .headers()
        .getOrDefault("Tidemark-Schema-Versions", "none");
  }

  @Test
  void aHeaderNamesAsManyTypesAsFitInIt() {
    assertThat(header(mixes(2)))
        .isEqualTo(
            "entity:Type000: 5 rows of version 1 shown in version 2;"
                + " entity:Type001: 5 rows of version 1 shown in version 2");
    for (int types = 30; types < 45; types++) {
      String header = header(mixes(types));
      assertThat(header).hasSizeLessThanOrEqualTo(2048);
      long told = header.split("entity:", -1).length - 1L;
      if (told < types) {
        assertThat(header)
            .endsWith("; cut here, with %d of %d types left out".formatted(types - told, types));
      } else {
        assertThat(header).doesNotContain("cut");
      }
    }
    assertThat(header(mixes(30))).doesNotContain("cut");
    assertThat(header(mixes(5000))).contains("cut here").hasSizeGreaterThan(1900);
  }

  @Test
  void oneTypeWithManyVersionsIsLeftOutAsAWhole() {
    TreeMap<Long, Long> rows = new TreeMap<>();
    IntStream.range(0, 500).forEach(i -> rows.put((long) i, 1L));
    SchemaVersionMix one = new SchemaVersionMix("entity:Many", 501, rows, List.of());
    assertThat(header(List.of(one))).isEqualTo("cut here, with 1 of 1 types left out");
  }

  @Test
  void fieldsThatMayBeNullSinceTheyWereConvertedAreNamed() {
    SchemaVersionMix mix =
        new SchemaVersionMix(
            "entity:Customer", 2, new TreeMap<>(Map.of(1L, 3L)), List.of("age", "tier"));
    assertThat(header(List.of(mix)))
        .isEqualTo(
            "entity:Customer: 3 rows of version 1 shown in version 2"
                + " (age, tier converted, null where a value doesn't fit)");
    assertThat(WireJson.text(new RowCount(3, List.of(mix))))
        .isEqualTo(
            "{\"count\":3,\"schema_versions\":[{\"type\":\"entity:Customer\",\"shown_version_id\":2,"
                + "\"rows_by_version\":{\"1\":3},\"converted_fields\":[\"age\",\"tier\"]}]}");
  }

  @Test
  void aBodyNamesThemAll() {
    assertThat(WireJson.tree(new RowCount(3, mixes(5000))).path("schema_versions")).hasSize(5000);
  }
}
