// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

@ExtendWith(ServerExtension.class)
class TableSetupTest {

  private final TestTable table;

  TableSetupTest(DynamoDbServer server) {
    table = TestTable.missing(server);
  }

  @AfterEach
  void close() {
    table.close();
  }

  @Test
  void theTableIsCreatedOnceAndExactly_names68() {
    table.backend().ensureTable();
    table.backend().ensureTable();

    TableDescription made = table.client().describeTable(d -> d.tableName(table.name())).table();
    assertThat(made.keySchema()).containsExactly(key("pk", KeyType.HASH), key("sk", KeyType.RANGE));
    assertThat(made.attributeDefinitions())
        .containsExactlyInAnyOrder(string("pk"), string("sk"), string("kind"));
    assertThat(made.billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
    assertThat(made.globalSecondaryIndexes()).hasSize(1);
    GlobalSecondaryIndexDescription index = made.globalSecondaryIndexes().get(0);
    assertThat(index.indexName()).isEqualTo("gsi1-kind");
    assertThat(index.keySchema())
        .containsExactly(key("kind", KeyType.HASH), key("pk", KeyType.RANGE));
    assertThat(index.projection().projectionType()).isEqualTo(ProjectionType.INCLUDE);
    assertThat(index.projection().nonKeyAttributes())
        .containsExactlyInAnyOrder("name", "branch", "source_type", "dependencies", "retracted");
    assertThat(table.wire().requests())
        .containsExactly("DescribeTable", "CreateTable", "DescribeTable", "DescribeTable");
  }

  @Test
  void aMissingTableIsCreatedByALocationThatSaysSo() {
    Address mydb = Address.parse("mydb");
    DynamoDbSettings read = DynamoDbSettings.parse(table.location() + "&create=true");
    UnaryOperator<DynamoDbSettings> creating = s -> s.withMissingTable(read.missingTable());

    try (DynamoDbNameBackend made = table.anotherBackend(creating)) {
      new NameService(made, NameOptions.standard().withoutNotifications()).create(mydb);
    }
    try (DynamoDbNameBackend again = table.anotherBackend(creating)) {
      assertThat(again.find(mydb)).isPresent();
      assertThat(again.location()).isEqualTo(table.location());
    }
  }

  @Test
  void aLocationThatCreatesATableRefusesOneOfAnotherSchemaAtOnce() {
    table
        .client()
        .createTable(
            t ->
                t.tableName(table.name())
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(string("ledger_alias"))
                    .keySchema(key("ledger_alias", KeyType.HASH)));

    assertThatThrownBy(
            () -> table.anotherBackend(s -> s.withMissingTable(MissingTablePolicy.CREATED)))
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining(table.name())
        .hasMessageContaining("ledger_alias (HASH, S)");
  }

  @Test
  void aTableWithAnotherKeyIsRefused() {
    table
        .client()
        .createTable(
            t ->
                t.tableName(table.name())
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(string("ledger_alias"))
                    .keySchema(key("ledger_alias", KeyType.HASH)));

    assertThatThrownBy(() -> table.backend().ensureTable())
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining(table.name())
        .hasMessageContaining("ledger_alias (HASH, S)")
        .hasMessageContaining("gsi1-kind");
  }

  @Test
  void aTableWithoutTheIndexIsRefused() {
    table
        .client()
        .createTable(
            t ->
                t.tableName(table.name())
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(string("pk"), string("sk"))
                    .keySchema(key("pk", KeyType.HASH), key("sk", KeyType.RANGE)));

    assertThatThrownBy(() -> table.backend().ensureTable())
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining("it has no index gsi1-kind")
        .hasMessageNotContaining("its key");
  }

  /** Nobody has to call ensureTable. */
  @Test
  void aTableWithAnotherKeyIsToldByWhateverIsAsked() {
    table
        .client()
        .createTable(
            t ->
                t.tableName(table.name())
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(string("ledger_alias"))
                    .keySchema(key("ledger_alias", KeyType.HASH)));
    Address mydb = Address.parse("mydb");

    isUnsupported(() -> table.backend().find(mydb));
    isUnsupported(() -> table.backend().get(mydb, Concern.HEAD));
    isUnsupported(() -> table.names().create(mydb));
    isUnsupported(() -> table.names().ledgers().publishCommit(mydb, Ref.of("c1", 1)));
    isUnsupported(() -> table.backend().list("", "").toList());
    isUnsupported(() -> table.names().migrate(MigrationMode.DRY_RUN).toList());
    assertThat(table.client().scan(s -> s.tableName(table.name())).items()).isEmpty();
  }

  private void isUnsupported(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining("the table " + table.name() + " can't be used")
        .hasMessageContaining("migrate-from");
  }

  @Test
  void aTableWithoutTheIndexCantBeListed() {
    table
        .client()
        .createTable(
            t ->
                t.tableName(table.name())
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(string("pk"), string("sk"))
                    .keySchema(key("pk", KeyType.HASH), key("sk", KeyType.RANGE)));
    table.names().create(Address.parse("mydb"));

    assertThatThrownBy(() -> table.backend().list("", "").toList())
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining(table.name())
        .hasMessageContaining("gsi1-kind");
  }

  @Test
  void aMissingTableIsNamed() {
    assertThatThrownBy(() -> table.backend().find(Address.parse("mydb")))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining(table.name());
    assertThatThrownBy(() -> table.names().create(Address.parse("mydb")))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining(table.name())
        .hasMessageContaining("create=true");
  }

  @Test
  void aTableThatWasThereIsGone() {
    table.backend().ensureTable();
    table.names().create(Address.parse("mydb"));
    table.client().deleteTable(d -> d.tableName(table.name()));

    assertGone(() -> table.backend().find(Address.parse("mydb")));
    assertGone(() -> table.backend().list("", "").toList());
    assertGone(() -> table.names().create(Address.parse("other")));
    assertThatThrownBy(
            () -> {
              try (DynamoDbNameBackend anew = table.anotherBackend()) {
                anew.find(Address.parse("mydb"));
              }
            })
        .as("opened anew")
        .isInstanceOf(InvalidLocationException.class);
  }

  private void assertGone(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StoreGoneException.class)
        .hasMessageContaining("the table " + table.name())
        .hasMessageContaining("was there and is gone; restore it");
  }

  private static AttributeDefinition string(String name) {
    return AttributeDefinition.builder()
        .attributeName(name)
        .attributeType(ScalarAttributeType.S)
        .build();
  }

  private static KeySchemaElement key(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }
}
