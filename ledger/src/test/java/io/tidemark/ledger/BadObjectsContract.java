// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.catalog.Catalog.Finding;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that were damaged: an error that names the object, and nothing is made of it. */
interface BadObjectsContract {

  LedgerFixture fixture();

  /** Three commits of one type, the paths of whose manifests are the result. */
  private String[] threeCommits() {
    String[] manifests = new String[3];
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int i = 0; i < 3; i++) {
        session.ensure(Customer.of("c" + i, i)).commit();
        manifests[i] = fixture().newestManifest();
      }
    }
    ledger.close();
    return manifests;
  }

  private static void corrupt(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CorruptLedgerException.class, e -> assertThat(e.code()).isEqualTo("corrupt"))
        .hasMessageContainingAll(words)
        .hasMessageContaining("restore it from a copy");
  }

  /** That the ledger can't be written to, and that trying changes nothing. */
  private void noCommit(String... words) {
    String head = fixture().text("meta/head.json");
    Ledger ledger = fixture().open();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("more", 1));
      corrupt(session::commit, words);
      assertThat(session.queued()).isEqualTo(1);
    }
    assertThat(fixture().text("meta/head.json")).isEqualTo(head);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not JSON",
        "[]",
        "{}",
        "{\"commit_id\":-1,\"manifest_path\":null}",
        "{\"commit_id\":1.5,\"manifest_path\":\"x\"}",
        "{\"commit_id\":1,\"manifest_path\":null}",
        "{\"commit_id\":0,\"manifest_path\":\"x\"}",
        "{\"commit_id\":99999999999999999999,\"manifest_path\":\"x\"}"
      })
  default void aHeadOfGarbageIsNamed(String garbage) {
    fixture().init();
    fixture().write("meta/head.json", garbage);

    corrupt(() -> fixture().open(), "meta/head.json", "ledgers/main/");
    assertThat(fixture().text("meta/head.json")).isEqualTo(garbage);
  }

  @Test
  default void aHeadThatPointsToNothingIsNamed() {
    String[] manifests = threeCommits();
    fixture().delete(manifests[2]);

    corrupt(() -> fixture().open(), "meta/head.json", manifests[2], "not there");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"not JSON", "[]", "{}", "{\"commit_id\":3,\"files\":[{\"kind\":\"thing\"}]}"})
  default void aManifestOfGarbageIsNamed(String garbage) {
    String[] manifests = threeCommits();
    fixture().write(manifests[2], garbage);

    corrupt(() -> fixture().open(), manifests[2]);
  }

  @Test
  default void aHoleInTheChainIsNamedAndWhatIsAfterItCanBeRead() {
    String[] manifests = threeCommits();
    fixture().delete(manifests[0]);
    Ledger ledger = fixture().open();

    assertThat(ledger.log().get(2).orElseThrow().id()).isEqualTo(2);
    corrupt(() -> ledger.log().get(1), manifests[0], "not there");
    corrupt(() -> ledger.log().newestFirst(0).toList(), manifests[0]);
  }

  @Test
  default void aCycleInTheChainIsNamed() {
    String[] manifests = threeCommits();
    fixture()
        .edit(
            manifests[1],
            json ->
                json.put("parent_manifest_path", manifests[2])
                    .put("parent_commit_id", 1)
                    .remove("ancestors"));
    Ledger ledger = fixture().open();

    corrupt(() -> ledger.log().newestFirst(0).toList(), manifests[2], "3", "1");
  }

  @ParameterizedTest
  @CsvSource({"parent_commit_id, 3", "parent_commit_id, 7", "parent_commit_id, 0", "commit_id, 4"})
  default void aParentThatCantBeIsNamed(String field, long value) {
    String[] manifests = threeCommits();
    fixture().edit(manifests[2], json -> json.put(field, value));

    corrupt(() -> fixture().open().log().newestFirst(0).toList(), "3", Long.toString(value));
  }

  private void damagedManifest(Consumer<ObjectNode> damage) {
    String[] manifests = threeCommits();
    fixture().delete("meta/indices/entities/Customer.json");
    fixture().edit(manifests[2], damage);
    corrupt(
        () -> {
          Ledger ledger = fixture().open();
          try (Session session = ledger.session(RecordType.of(Customer.class))) {
            session.ensure(Customer.of("more", 1)).commit();
          }
        },
        manifests[2]);
    assertThat(fixture().json("meta/head.json").path("commit_id").asLong()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 4, -1})
  default void aCommitCantComeAfterItself(long previous) {
    damagedManifest(
        json -> ((ObjectNode) json.path("files").path(0)).put("previous_commit_id", previous));
  }

  @ParameterizedTest
  @ValueSource(strings = {"type_heads", "type_floors", "schema_commits"})
  default void whatIsSaidOfTypesCantBeOfTheFuture(String field) {
    damagedManifest(json -> ((ObjectNode) json.path(field).path("entity")).put("Customer", 4));
  }

  @Test
  default void anAncestorCantBeOfTheFuture() {
    damagedManifest(json -> json.putArray("ancestors").addArray().add(5).add("x"));
  }

  @Test
  default void aFileThatWasChangedIsNotServed() {
    threeCommits();
    String data = fixture().manifest().path("files").path(0).path("path").asText();
    byte[] bytes = fixture().bytes(data);
    bytes[bytes.length / 2] ^= 1;
    fixture().write(data, bytes);
    Ledger ledger = fixture().open();

    assertThat(ledger.log().get(3)).isPresent();
    corrupt(() -> LedgerFixture.changes(ledger, 3), data, "SHA-256");
    noCommit(data, "SHA-256");
  }

  @Test
  default void aFileThatIsMissingIsNamed() {
    threeCommits();
    String data = fixture().manifest().path("files").path(0).path("path").asText();
    fixture().delete(data);

    corrupt(() -> LedgerFixture.changes(fixture().open(), 3), data, "missing");
    noCommit(data, "missing");
  }

  @Test
  default void theHashOfTheManifestCountsNotThatOfTheIndex() {
    threeCommits();
    fixture()
        .edit(
            "meta/indices/entities/Customer.json",
            json ->
                json.path("entries")
                    .forEach(entry -> ((ObjectNode) entry).remove("content_sha256")));
    String data = fixture().manifest().path("files").path(0).path("path").asText();
    byte[] bytes = fixture().bytes(data);
    bytes[bytes.length / 2] ^= 1;
    fixture().write(data, bytes);

    noCommit(data, "SHA-256");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not JSON",
        "[]",
        "{}",
        "{\"versions\":{}}",
        "{\"versions\":[{}]}",
        "{\"versions\":[5]}",
        "{\"versions\":[],\"type_kind\":\"entity\",\"type_name\":\"Product\"}",
        "{\"versions\":[],\"former_versions\":7}"
      })
  default void versionsOfGarbageAreNamed(String garbage) {
    threeCommits();
    fixture().write("meta/schema/versions/entity/Customer.json", garbage);

    noCommit("meta/schema/versions/entity/Customer.json");
  }

  @Test
  default void aVersionThatIsThereTwiceIsNamed() {
    threeCommits();
    String path = "meta/schema/versions/entity/Customer.json";
    fixture()
        .edit(path, json -> ((ArrayNode) json.path("versions")).add(json.path("versions").path(0)));

    noCommit(path, "has two versions numbered 1");
    corrupt(() -> fixture().open().schemas().current(), path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"1\"", "null", "1.5", "[]"})
  default void aVersionWithoutANumberIsNamed(String number) throws IOException {
    threeCommits();
    JsonNode id = CanonicalJson.parse(number);
    String path = "meta/schema/versions/entity/Customer.json";
    fixture()
        .edit(
            path,
            json -> ((ObjectNode) json.path("versions").path(0)).set("schema_version_id", id));

    noCommit(path, "schema_version_id is " + number);
  }

  /** What is found of a catalog of two types, of which one has two versions, after some damage. */
  private void found(String path, Consumer<ObjectNode> damage, String... findings) {
    Ledger ledger = fixture().init();
    try (Session session =
        ledger.session(RecordType.of(Customer.class), RecordType.of(Product.class))) {
      session.ensure(Customer.of("c1", 1)).ensure(Product.of("p1")).commit();
    }
    ledger.flush();
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT)).matches(IndexMaintenance.Report::ok);
    fixture().edit(path, damage);

    assertThat(ledger.indices().verify(Depth.NEWEST)).matches(IndexMaintenance.Report::ok);
    IndexMaintenance.Report report = ledger.indices().verify(Depth.EVERY_COMMIT);
    assertThat(report.ok()).isFalse();
    assertThat(report.catalog()).extracting(Finding::text).containsExactly(findings);
    ledger.indices().repair(Depth.EVERY_COMMIT);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).catalog())
        .isEqualTo(report.catalog().stream().filter(finding -> !finding.mendable()).toList());
    ledger.close();
  }

  @Test
  default void aTypeThatIsListedTwiceIsFoundAndListedOnce() {
    found(
        "meta/schema/types.json",
        json -> ((ArrayNode) json.path("entities")).add("Customer"),
        "meta/schema/types.json lists entity:Customer twice");
  }

  @Test
  default void aRegistryThatIsOtherThanTheVersionsIsFoundAndWrittenAnew() {
    found(
        "meta/schema/registry.json",
        json -> {
          ObjectNode entities = (ObjectNode) json.path("entity");
          entities.remove("Customer");
          entities.putObject("Product").put("entity_name", "Product");
          entities.putObject("Other");
        },
        "meta/schema/registry.json doesn't have entity:Customer",
        "meta/schema/registry.json has another schema of entity:Product than"
            + " meta/schema/versions/entity/Product.json",
        "meta/schema/registry.json has entity:Other, which has no versions");
  }

  @Test
  default void aVersionThatIsLostIsFound() {
    found(
        "meta/schema/versions/entity/Customer.json",
        json -> ((ObjectNode) json.path("versions").path(0)).put("schema_version_id", 2),
        "meta/schema/versions/entity/Customer.json lacks version 1, which rows were written with;"
            + " restore it from a copy");
  }

  /** A ledger of two types without rows, of which one has lost its versions or they are garbage. */
  private Finding damaged(Consumer<String> damage) {
    Ledger ledger = fixture().init();
    ledger.session(RecordType.of(Customer.class), RecordType.of(Product.class)).validate();
    String schema = fixture().json("meta/schema/registry.json").path("entity").toString();
    damage.accept("meta/schema/versions/entity/Customer.json");
    IndexMaintenance.Report report = ledger.indices().verify(Depth.EVERY_COMMIT);
    assertThat(report.catalog()).extracting(Finding::mendable).containsExactly(false);
    fixture()
        .edit(
            "meta/schema/registry.json",
            json -> ((ObjectNode) json.path("entity")).remove("Product"));

    assertThat(ledger.indices().repair(Depth.EVERY_COMMIT).catalog())
        .extracting(Finding::text)
        .containsExactly("meta/schema/registry.json doesn't have entity:Product");

    assertThat(fixture().json("meta/schema/registry.json").path("entity").toString())
        .isEqualTo(schema);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).catalog()).isEqualTo(report.catalog());
    ledger.close();
    return report.catalog().get(0);
  }

  @Test
  default void aRepairKeepsTheLastCopyOfASchemaWhoseVersionsAreLost() {
    assertThat(damaged(fixture()::delete).text())
        .isEqualTo(
            "meta/schema/versions/entity/Customer.json is missing or empty, while"
                + " meta/schema/registry.json has a schema of entity:Customer; restore it from a"
                + " copy, or declare the type again");
    fixture().open().session(RecordType.of(Customer.class)).validate();
    assertThat(fixture().open().indices().verify(Depth.EVERY_COMMIT))
        .matches(IndexMaintenance.Report::ok);
  }

  @Test
  default void aRepairKeepsTheLastCopyOfASchemaWhoseVersionsAreGarbage() {
    assertThat(damaged(path -> fixture().write(path, "{}")).text())
        .startsWith("meta/schema/versions/entity/Customer.json of the ledger in ");
  }

  @Test
  default void aRegistryOfGarbageIsNamedByWhoWouldWriteIt() {
    threeCommits();
    fixture().edit("meta/schema/registry.json", json -> json.put("entity", 5));
    Ledger ledger = fixture().open();

    corrupt(
        () -> ledger.session(RecordType.of(Product.class)).ensure(Product.of("p1")).commit(),
        "meta/schema/registry.json",
        "has no types as entity");
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).catalog())
        .singleElement()
        .extracting(Finding::text)
        .asString()
        .startsWith("meta/schema/registry.json of the ledger in");
  }

  @Test
  default void aSchemaOfGarbageIsNamed() {
    threeCommits();
    fixture()
        .edit(
            "meta/schema/versions/entity/Customer.json",
            json -> ((ObjectNode) json.path("versions").path(0)).put("schema_json", "{}"));

    noCommit("meta/schema/versions/entity/Customer.json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not JSON",
        "{\"entities\":[]}",
        "{\"entities\":5,\"relations\":[]}",
        "{\"entities\":[\"a/b\"],\"relations\":[]}",
        "{\"entities\":[null],\"relations\":[]}",
        "{\"entities\":[\"Customer\",7],\"relations\":[]}"
      })
  default void aListOfTypesOfGarbageIsNamed(String garbage) {
    threeCommits();
    fixture().write("meta/schema/types.json", garbage);

    corrupt(() -> fixture().open().schemas().current(), "meta/schema/types.json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not JSON",
        "{}",
        "{\"owner_id\":\"x\",\"expires_at\":\"soon\"}",
        "{\"owner_id\":\"x\",\"expires_at\":\"2999-01-01T00:00:00\",\"lease_ttl_ms\":1}"
      })
  default void g3_aLockOfGarbageHoldsForOneLeaseAtMost(String garbage) {
    fixture().initialiser().init();
    fixture().write("meta/locks/ontology_write.json", garbage);
    FakeTime time = new FakeTime();
    WriterSettings patient =
        new WriterSettings(
            "test",
            Duration.ofSeconds(30),
            Duration.ofSeconds(40),
            Duration.ofMinutes(1),
            time.retry(),
            time);
    Ledger ledger = fixture().open(LedgerFixture.options().withWriter(patient));
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      assertThat(session.ensure(Customer.of("c1", 1)).commit()).isPresent();
    }
    assertThat(time.elapsed()).isLessThan(Duration.ofSeconds(31));
  }
}
