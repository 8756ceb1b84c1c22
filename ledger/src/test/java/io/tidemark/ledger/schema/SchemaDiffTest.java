// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.internal.catalog.PlanToken;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.SchemaDiff.FieldChange;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SchemaDiffTest {

  private static final TypeSchema USER =
      Schemas.entity("User", "id", Map.of("id", Field.of(Scalar.STRING)));

  @Test
  void i2_anAddedFieldIsNamedBesideTheStoredVersion() {
    SchemaDiff diff = SchemaDiff.between(USER, 1, withEmail());
    assertThat(diff.type()).isEqualTo(TypeId.entity("User"));
    assertThat(diff.storedVersion()).isEqualTo(1);
    assertThat(diff.added()).containsExactly("email");
    assertThat(diff.removed()).isEmpty();
    assertThat(diff.changed()).isEmpty();
    assertThat(diff.isEmpty()).isFalse();
    assertThat(diff).hasToString("entity:User v1: added email");
    assertThat(SchemaDiff.between(withEmail(), 2, USER))
        .hasToString("entity:User v2: removed email");
  }

  @Test
  void equalSchemasDoNotDiffer() {
    SchemaDiff diff = SchemaDiff.between(Schemas.CUSTOMER, 3, Schemas.CUSTOMER);
    assertThat(diff.isEmpty()).isTrue();
    assertThat(diff).hasToString("entity:Customer v3: no change");
  }

  @Test
  void aChangeOfTypeIsToldInWords() {
    assertThat(change(Scalar.LONG, new Nullable(Scalar.LONG)))
        .isEqualTo(new FieldChange("long", "long?"));
    assertThat(change(address("city"), address("town")))
        .isEqualTo(new FieldChange("Address{city: string}", "Address{town: string}"));
    assertThat(
            change(
                new Foreign("X", TextNode.valueOf("1")), new Foreign("X", TextNode.valueOf("2"))))
        .isEqualTo(new FieldChange("X \"1\"", "X \"2\""));
  }

  @Test
  void anotherKeyAndAnotherMarkAreChangesToo() {
    Map<String, Field> fields = Map.of("a", Field.of(Scalar.STRING), "b", Field.of(Scalar.STRING));
    Map<String, Field> marked =
        Map.of("a", Field.of(Scalar.STRING), "b", new Field(Scalar.STRING, true));
    assertThat(
            SchemaDiff.between(
                    Schemas.entity("T", "a", fields), 1, Schemas.entity("T", "b", marked))
                .changed())
        .containsExactly(
            Map.entry("a", new FieldChange("string, key", "string")),
            Map.entry("b", new FieldChange("string", "string, key, indexed")));
  }

  @Test
  void changesOfARelationsIdentityHaveNamesThatNoFieldHas() {
    Map<String, Field> fields = Map.of("k", Field.of(Scalar.STRING));
    TypeSchema stored = Schemas.relation("R", new Endpoints("A", "B", Optional.empty()), fields);
    TypeSchema declared = Schemas.relation("R", new Endpoints("B", "C", Optional.of("k")), fields);
    assertThat(SchemaDiff.between(stored, 1, declared).changed())
        .containsExactly(
            Map.entry("__instance_key_field__", new FieldChange("none", "k")),
            Map.entry("__left_type__", new FieldChange("A", "B")),
            Map.entry("__right_type__", new FieldChange("B", "C")));
  }

  @Test
  void aDroppedTypeHasNoStoredVersion() {
    SchemaDiff diff = SchemaDiff.dropped(TypeId.entity("User"));
    assertThat(diff.storedVersion()).isZero();
    assertThat(diff.isEmpty()).isFalse();
    assertThat(diff).hasToString("entity:User isn't stored");
  }

  @Test
  void twoTypesAreNotCompared() {
    assertThatThrownBy(() -> SchemaDiff.between(USER, 1, Schemas.PERSON))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("entity:User and entity:Person are two types");
  }

  @Test
  void i4_theTokenOfAMigrationIsTheOneOtherProgramsShow() {
    SchemaDiff diff = SchemaDiff.between(USER, 1, withEmail());
    assertThat(PlanToken.ofMigration(List.of(diff), Optional.of(42L)).text())
        .isEqualTo(
            "Yzc5MjgxNGYzNmZiMWIwYzQyOThmMTQ0YTNhMzEzYTdlMDA3MWMwYjQ2OTdmODM0Njk2Y2YyYjY4NTc2NDQ5Zjo0"
                + "Mg==");
  }

  @Test
  void i5_theTokenChangesWithTheHeadAndThePlanButNotWithTheOrderOfTypes() {
    SchemaDiff one = SchemaDiff.between(USER, 1, withEmail());
    SchemaDiff other = SchemaDiff.dropped(TypeId.relation("A"));
    PlanToken token = PlanToken.ofMigration(List.of(one, other), Optional.of(42L));
    assertThat(PlanToken.ofMigration(List.of(other, one), Optional.of(42L))).isEqualTo(token);
    assertThat(PlanToken.ofMigration(List.of(one, other), Optional.of(43L))).isNotEqualTo(token);
    assertThat(PlanToken.ofMigration(List.of(one, other), Optional.empty())).isNotEqualTo(token);
    assertThat(PlanToken.ofMigration(List.of(one), Optional.of(42L))).isNotEqualTo(token);
  }

  @Test
  void i9_theTokenOfADropIsTheOneOtherProgramsShow() {
    TreeMap<TypeId, Long> affected = new TreeMap<>(Map.of(TypeId.relation("Subscription"), 1L));
    DropPlan plan = new DropPlan(affected, DropPlan.History.PURGE, Optional.of(3L));
    assertThat(PlanToken.ofDrop(plan).text())
        .isEqualTo(
            "ZjM0OTM2MjEyY2JhOTUwMDQzYzc3M2IzZjY0NDM1OTUwNjU3Y2EwMWUzNzYzNjg4NTQxMWNkY2FjZTkyOWU4NDoz");
    assertThat(PlanToken.ofDrop(new DropPlan(affected, DropPlan.History.KEEP, Optional.of(3L))))
        .isNotEqualTo(PlanToken.ofDrop(plan));
    // An entity of the same name counts as well.
    affected.put(TypeId.entity("Subscription"), 1L);
    DropPlan both = new DropPlan(affected, DropPlan.History.PURGE, Optional.of(3L));
    affected.put(TypeId.relation("Subscription"), 2L);
    DropPlan later = new DropPlan(affected, DropPlan.History.PURGE, Optional.of(3L));
    assertThat(PlanToken.ofDrop(both)).isNotEqualTo(PlanToken.ofDrop(later));
  }

  @Test
  void a3_theTokenOfAForcedInitSaysWhichStoreIsMeant() {
    assertThat(PlanToken.ofForcedInit("s3://bucket/prefix")).hasToString("cdc894def36c08d3");
  }

  private static TypeSchema withEmail() {
    return Schemas.entity(
        "User", "id", Map.of("id", Field.of(Scalar.STRING), "email", Field.of(Scalar.STRING)));
  }

  private static FieldType address(String field) {
    return new RecordOf("Address", new TreeMap<>(Map.of(field, Scalar.STRING)));
  }

  private static FieldChange change(FieldType stored, FieldType declared) {
    FieldChange fieldChange =
        SchemaDiff.between(Schemas.with(stored), 1, Schemas.with(declared)).changed().get("f");
    assertThat(fieldChange).isNotNull();
    return fieldChange;
  }
}
