// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

class DynamoDbServerTest {

  private static final DynamoDbServer SERVER = DynamoDbServer.start();
  private static final DynamoDbClient CLIENT =
      DynamoDbClient.builder()
          .endpointOverride(SERVER.endpoint())
          .region(Region.of(SERVER.region()))
          .credentialsProvider(
              StaticCredentialsProvider.create(
                  AwsBasicCredentials.create(SERVER.accessKey(), SERVER.secretKey())))
          .httpClientBuilder(Apache5HttpClient.builder().expectContinueEnabled(false))
          .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
          .build();

  private final String table = SERVER.freshTableName();

  @BeforeEach
  void createATable() {
    CLIENT.createTable(
        b ->
            b.tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName("pk")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(
                    KeySchemaElement.builder().attributeName("pk").keyType(KeyType.HASH).build()));
  }

  @AfterAll
  static void stop() {
    CLIENT.close();
    SERVER.close();
  }

  @Test
  void readsBackWhatWasWritten() {
    CLIENT.putItem(b -> b.tableName(table).item(item("a", 1)));

    assertThat(CLIENT.getItem(b -> b.tableName(table).key(key("a")).consistentRead(true)).item())
        .isEqualTo(item("a", 1));
  }

  @Test
  void saysWhatFailedACondition() {
    CLIENT.putItem(b -> b.tableName(table).item(item("a", 1)));

    assertThatThrownBy(() -> raise(1, 0))
        .isInstanceOfSatisfying(
            ConditionalCheckFailedException.class,
            e -> assertThat(e.item()).isEqualTo(item("a", 1)));
  }

  @Test
  void ofEightWritersOnOneVersionOneWins() throws Exception {
    CLIENT.putItem(b -> b.tableName(table).item(item("a", 0)));
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 10; round++) {
        int from = round;
        List<Callable<Boolean>> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          writers.add(() -> won(from));
        }
        int wins = 0;
        for (Future<Boolean> writer : pool.invokeAll(writers)) {
          wins += writer.get() ? 1 : 0;
        }
        assertThat(wins).isEqualTo(1);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aTransactionIsAppliedWholeOrNotAtAll() {
    CLIENT.putItem(b -> b.tableName(table).item(item("b", 1)));

    TransactWriteItem allowed =
        TransactWriteItem.builder().put(p -> p.tableName(table).item(item("a", 1))).build();
    TransactWriteItem refused =
        TransactWriteItem.builder()
            .put(
                p ->
                    p.tableName(table)
                        .item(item("b", 2))
                        .conditionExpression("attribute_not_exists(pk)"))
            .build();
    assertThatThrownBy(() -> CLIENT.transactWriteItems(t -> t.transactItems(allowed, refused)))
        .isInstanceOfSatisfying(
            TransactionCanceledException.class,
            e ->
                assertThat(e.cancellationReasons())
                    .extracting(CancellationReason::code)
                    .containsExactly("None", "ConditionalCheckFailed"));
    assertThat(CLIENT.getItem(b -> b.tableName(table).key(key("a"))).hasItem()).isFalse();
  }

  @Test
  void listensOnLoopbackOnly() throws IOException {
    for (NetworkInterface card : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress address : card.inetAddresses().toList()) {
        if (!address.isLoopbackAddress() && address instanceof Inet4Address) {
          assertThatThrownBy(() -> connect(address)).isInstanceOf(IOException.class);
        }
      }
    }
  }

  private static void connect(InetAddress address) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, SERVER.endpoint().getPort()), 1_000);
    }
  }

  private boolean won(int from) {
    try {
      raise(from + 1, from);
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  private void raise(int to, int from) {
    CLIENT.updateItem(
        b ->
            b.tableName(table)
                .key(key("a"))
                .updateExpression("SET t = :to")
                .conditionExpression("t = :from")
                .expressionAttributeValues(Map.of(":to", number(to), ":from", number(from)))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
  }

  private static Map<String, AttributeValue> key(String pk) {
    return Map.of("pk", AttributeValue.fromS(pk));
  }

  private static Map<String, AttributeValue> item(String pk, int t) {
    return Map.of("pk", AttributeValue.fromS(pk), "t", number(t));
  }

  private static AttributeValue number(int n) {
    return AttributeValue.fromN(Integer.toString(n));
  }
}
