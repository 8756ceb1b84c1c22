// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Items of a table, each move one conditional {@code UpdateItem} of the bare client: the floor.
 *
 * <p>The table has the keys and the index of ours, as whoever keeps the concerns of a record in
 * items of their own needs them: the local server reads the description of the table anew for every
 * request, which takes it up to a fifth of its time and is nothing that we add.
 */
final class BareDynamoDbRegisters implements Registers<Long> {

  private final DynamoDbClient client;
  private final String table;

  /**
   * Items of a table that is there.
   *
   * @param client closed with this
   */
  BareDynamoDbRegisters(DynamoDbClient client, String table) {
    this.client = client;
    this.table = table;
  }

  @Override
  public Long create(int register) {
    client.putItem(
        r ->
            r.tableName(table)
                .item(
                    Map.of(
                        "pk", AttributeValue.fromS("ledger-" + register),
                        "sk", AttributeValue.fromS("head"),
                        "v", AttributeValue.fromN("0"))));
    return 0L;
  }

  @Override
  public Long read(int register) {
    return version(
        client.getItem(r -> r.tableName(table).key(key(register)).consistentRead(true)).item());
  }

  @Override
  public Move<Long> move(int register, Long from) {
    try {
      client.updateItem(
          r ->
              r.tableName(table)
                  .key(key(register))
                  .updateExpression("SET v = :next, payload = :payload")
                  .conditionExpression("v = :from")
                  .expressionAttributeValues(
                      Map.of(
                          ":from", AttributeValue.fromN(Long.toString(from)),
                          ":next", AttributeValue.fromN(Long.toString(from + 1)),
                          ":payload", AttributeValue.fromS(SamplePayload.json(from + 1))))
                  .returnValuesOnConditionCheckFailure(
                      ReturnValuesOnConditionCheckFailure.ALL_OLD));
      return new Move<>(from + 1, true);
    } catch (ConditionalCheckFailedException e) {
      return new Move<>(version(e.item()), false);
    }
  }

  private static Map<String, AttributeValue> key(int register) {
    return Map.of(
        "pk", AttributeValue.fromS("ledger-" + register), "sk", AttributeValue.fromS("head"));
  }

  private static long version(Map<String, AttributeValue> item) {
    AttributeValue version = item.get("v");
    if (version == null) {
      throw new IllegalStateException("the item has no version: " + item);
    }
    return Long.parseLong(version.n());
  }

  @Override
  public void close() {
    client.close();
  }
}
