// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which fields have a column of their own. */
class TypedColumnsTest {

  @Test
  void scalarsHaveOneOptionalOrNotSortedByName() {
    assertThat(TypedColumns.of(Sample.EVERYTHING))
        .containsExactly(
            Map.entry("active", Scalar.BOOLEAN),
            Map.entry("age", Scalar.LONG),
            Map.entry("id", Scalar.STRING),
            Map.entry("name", Scalar.STRING),
            Map.entry("price", Scalar.DECIMAL),
            Map.entry("score", Scalar.DOUBLE),
            Map.entry("since", Scalar.INSTANT));
  }

  @Test
  void whatIsMadeOfPartsHasNone() {
    assertThat(
            TypedColumns.of(
                Sample.entity(
                    Map.of(
                        "list", new ListOf(Scalar.LONG),
                        "map", new Nullable(new MapOf(Scalar.LONG)),
                        "record", new RecordOf("Point", new TreeMap<>(Map.of("x", Scalar.LONG))),
                        "any", Foreign.any()))))
        .containsOnlyKeys("id");
  }

  @Test
  void anInstanceKeyHasNoneSinceItIsNoPayload() {
    assertThat(TypedColumns.of(Sample.SEATS)).containsOnlyKeys("seats");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "commit_id",
        "entity_type",
        "ENTITY_KEY",
        "relation_type",
        "left_key",
        "Right_Key",
        "instance_key",
        "schema_version_id",
        "fields_json",
        "filename",
        "file_index",
        "file_row_number",
        "rowid"
      })
  void aNameOfAnotherColumnGivesNoneF19(String name) {
    assertThat(TypedColumns.of(Sample.entity(Map.of(name, Scalar.STRING)))).containsOnlyKeys("id");
  }

  @Test
  void namesThatDifferOnlyInCaseGiveNoneF19() {
    assertThat(
            TypedColumns.of(
                Sample.entity(
                    Map.of(
                        "tier",
                        Scalar.STRING,
                        "Tier",
                        Scalar.LONG,
                        "ID",
                        Scalar.STRING,
                        "other",
                        Scalar.LONG))))
        .containsOnlyKeys("other");
  }
}
