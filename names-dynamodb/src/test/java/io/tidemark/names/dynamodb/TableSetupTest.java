// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.Servers;
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

@ExtendWith(Servers.class)
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
    assertThat(table.wire().requests()).filteredOn("CreateTable"::equals).hasSize(1);
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

  @Test
  void aMissingTableIsNamed() {
    assertThatThrownBy(() -> table.backend().find(Address.parse("mydb")))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining(table.name());
    assertThatThrownBy(() -> table.names().create(Address.parse("mydb")))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining(table.name());
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
