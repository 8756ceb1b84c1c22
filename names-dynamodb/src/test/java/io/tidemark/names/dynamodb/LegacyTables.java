// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Payload;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * A table of an older form beside one of today's.
 *
 * @param name the older table
 * @param key its key
 * @param now the table of today's form, migrated from the older one
 */
record LegacyTables(String name, String key, TestTable now) implements AutoCloseable {

  static LegacyTables create(DynamoDbServer server, String key) {
    String name = server.freshTableName();
    LegacyTables tables =
        new LegacyTables(
            name, key, TestTable.create(server, s -> s.withMigrateFrom(Optional.of(name))));
    tables
        .client()
        .createTable(
            t ->
                t.tableName(name)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(
                        AttributeDefinition.builder()
                            .attributeName(key)
                            .attributeType(ScalarAttributeType.S)
                            .build())
                    .keySchema(
                        KeySchemaElement.builder()
                            .attributeName(key)
                            .keyType(KeyType.HASH)
                            .build()));
    return tables;
  }

  DynamoDbClient client() {
    return now.client();
  }

  /** Puts an item that is written as JSON. */
  void put(String json) {
    Map<String, AttributeValue> item = JsonAttributes.toAttribute(Payload.parse(json).toTree()).m();
    client().putItem(p -> p.tableName(name).item(item));
  }

  /** Everything in the older table, by key. */
  Map<String, Map<String, AttributeValue>> rows() {
    Map<String, Map<String, AttributeValue>> rows = new TreeMap<>();
    List<Map<String, AttributeValue>> items =
        client().scan(s -> s.tableName(name).consistentRead(true)).items();
    items.forEach(item -> rows.put(RequestSender.string(item, key), item));
    return rows;
  }

  @Override
  public void close() {
    now.close();
  }
}
