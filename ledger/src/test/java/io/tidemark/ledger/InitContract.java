// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.catalog.InvalidTokenException;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases A: how a place becomes a ledger, and F7: how it becomes another one. */
interface InitContract {

  LedgerFixture fixture();

  @Test
  default void a1_initWritesFourDocumentsAndNothingElse() {
    Ledger ledger = fixture().init();

    assertThat(fixture().paths())
        .containsExactly(
            "meta/engine.json",
            "meta/head.json",
            "meta/schema/registry.json",
            "meta/schema/types.json");
    assertThat(without(fixture().json("meta/head.json"), "updated_at", "epoch"))
        .isEqualTo("{\"commit_id\":0,\"manifest_path\":null,\"runtime_id\":\"onto-init\"}");
    assertThat(without(fixture().json("meta/schema/registry.json"), "updated_at"))
        .isEqualTo("{\"entity\":{},\"relation\":{}}");
    assertThat(without(fixture().json("meta/schema/types.json"), "updated_at"))
        .isEqualTo("{\"entities\":[],\"relations\":[]}");
    assertThat(without(fixture().json("meta/engine.json"), "created_at"))
        .isEqualTo("{\"backend\":\"s3\",\"engine_version\":\"v1\"}");
    assertThat(fixture().json("meta/head.json").path("updated_at").asText())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{6})?\\+00:00");
    assertThat(ledger.log().head()).isEmpty();
    assertThat(ledger.log().newestFirst(0)).isEmpty();
    assertThat(ledger.schemas().current()).isEmpty();
  }

  private static String without(ObjectNode json, String... fields) {
    ObjectNode rest = json.deepCopy();
    for (String field : fields) {
      assertThat(rest.remove(field)).as(field).isNotNull();
    }
    return CanonicalJson.write(rest);
  }

  @Test
  default void a2_aPlaceWithoutLedgerIsNamedAndLeftAlone() {
    assertThatThrownBy(() -> fixture().open())
        .isInstanceOfSatisfying(
            UninitializedLedgerException.class,
            e -> assertThat(e.code()).isEqualTo("uninitialized"))
        .hasMessageContaining(fixture().store().toString())
        .hasMessageContaining("ledgers/main/; initialise it first");
    assertThat(fixture().paths()).isEmpty();
  }

  @Test
  default void a3_initialisingTwiceIsRefused() {
    fixture().init();
    String head = fixture().text("meta/head.json");

    assertThatThrownBy(() -> fixture().initialiser().init())
        .isInstanceOf(AlreadyInitializedException.class)
        .hasMessageContaining("ledgers/main");
    assertThat(fixture().text("meta/head.json")).isEqualTo(head);
  }

  @Test
  default void a3_forceNeedsTheTokenOfThePlan() {
    commit(fixture().init(), Customer.of("c1", 30));
    String head = fixture().text("meta/head.json");
    LedgerInitializer.InitializationPlan initializationPlan = fixture().initialiser().plan();

    assertThat(initializationPlan.alreadyInitialized()).isTrue();
    assertThat(initializationPlan.forceToken()).matches("[0-9a-f]{16}");
    assertThat(initializationPlan.engineVersion()).isEqualTo("v1");
    assertThat(initializationPlan.plannedObjects())
        .containsExactly(
            "meta/head.json",
            "meta/schema/registry.json",
            "meta/schema/types.json",
            "meta/engine.json");
    assertThatThrownBy(() -> fixture().initialiser().reinitialize("bad"))
        .isInstanceOf(InvalidTokenException.class)
        .hasMessageContaining("\"bad\"");
    assertThat(fixture().text("meta/head.json")).isEqualTo(head);

    fixture().initialiser().reinitialize(initializationPlan.forceToken());

    assertThat(fixture().json("meta/head.json").path("commit_id").asLong()).isZero();
    assertThat(fixture().open().log().head()).isEmpty();
  }

  @Test
  default void a5_aLedgerMayBeAtTheRootOfItsStore() {
    new LedgerInitializer(fixture().store(), "").init();

    assertThat(fixture().store().get("meta/head.json")).isPresent();
    Ledger.open(fixture().store(), "", LedgerOptions.standard()).close();
    assertThatThrownBy(() -> new LedgerInitializer(fixture().store(), "a"))
        .hasMessageContaining("\"a\"");
    assertThatThrownBy(() -> ObjectStore.open("gs://b"))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining("gs");
  }

  @Test
  default void anEngineOfVersionTwoIsRefused() {
    fixture().init();
    fixture().edit("meta/engine.json", json -> json.put("engine_version", "v2"));

    assertThatThrownBy(() -> fixture().open())
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining("engine version \"v2\"")
        .hasMessageContaining("ledgers/main/")
        .hasMessageContaining("export it");
  }

  @Test
  default void aLedgerThatSaysNothingOfItsEngineIsOfTheFirst() {
    fixture().init();
    fixture().delete("meta/engine.json");

    assertThat(commit(fixture().open(), Customer.of("c1", 30))).isEqualTo(1);
  }

  @Test
  default void f7_afterAForcedInitNothingOfBeforeComesBack() {
    Ledger before = fixture().init();
    commit(before, Customer.of("old", 1));
    commit(before, Customer.of("old", 2));
    before.close();
    String index = fixture().text("meta/indices/entities/Customer.json");

    fixture().initialiser().reinitialize(fixture().initialiser().plan().forceToken());

    assertThat(fixture().paths("meta/indices/")).isEmpty();
    assertThat(fixture().paths("meta/schema/"))
        .containsExactly("meta/schema/registry.json", "meta/schema/types.json");
    // A writer of the ledger before that comes late.
    fixture().write("meta/indices/entities/Customer.json", index);
    Ledger after = fixture().open();
    assertThat(commit(after, Customer.of("new", 1))).isEqualTo(1);
    assertThat(commit(after, Customer.of("old", 2))).isEqualTo(2);
    assertThat(LedgerFixture.told(after, 2)).singleElement().asString().startsWith("insert ");
    assertThat(after.schemas().current().keySet()).containsExactly(Models.CUSTOMER);
    assertThat(fixture().json("meta/schema/types.json").path("entities")).hasSize(1);
    after.flush();
    assertThat(after.indices().verify(IndexMaintenance.Depth.EVERY_COMMIT).ok()).isTrue();
  }

  @Test
  default void f7_aWriterThatStayedOpenSeesThatTheLedgerIsAnother() {
    Ledger stayed = fixture().init();
    try (Session session = stayed.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("old", 1)).commit();
      fixture().initialiser().reinitialize(fixture().initialiser().plan().forceToken());
      Ledger other = fixture().open();
      commit(other, Product.of("p1"));
      other.close();

      // As many commits as before, yet nothing of them: the type isn't there either.
      session.ensure(Customer.of("old", 1));
      assertThatThrownBy(session::commit)
          .isInstanceOf(SchemaOutdatedException.class)
          .hasMessageContaining("entity:Customer isn't stored");
      assertThat(session.queued()).isEqualTo(1);
      session.validate(); // it is meant
      assertThat(session.commit().map(Commit::id)).contains(2L);
      assertThat(session.ensure(Customer.of("old", 2)).commit().map(Commit::id)).contains(3L);
      stayed.flush();
    }
    assertThat(stayed.lastWarning()).isEmpty();
    assertThat(LedgerFixture.told(stayed, 2)).singleElement().asString().startsWith("insert ");
    assertThat(stayed.schemas().current().keySet())
        .containsExactly(Models.CUSTOMER, Models.PRODUCT);
    assertThat(stayed.indices().verify(IndexMaintenance.Depth.EVERY_COMMIT).ok()).isTrue();
  }

  private static long commit(Ledger ledger, Record value) {
    try (Session session = ledger.session(List.of(RecordType.of(value.getClass()).schema()))) {
      return session.ensure(value).commit().orElseThrow().id();
    }
  }
}
