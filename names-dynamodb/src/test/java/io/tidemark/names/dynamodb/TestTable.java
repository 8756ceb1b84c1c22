// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table of a test's own, with two clients: one that is watched, and one to look from outside. */
final class TestTable implements AutoCloseable {

  private final DynamoDbSettings settings;
  private final LossyInterceptor lossyInterceptor = new LossyInterceptor();
  private final DynamoDbClient outside;
  private final DynamoDbNameBackend backend;

  private TestTable(DynamoDbSettings settings) {
    this.settings = settings;
    this.outside = DynamoDbClients.builder(settings).build();
    DynamoDbClientBuilder watched = DynamoDbClients.builder(settings);
    watched.overrideConfiguration(
        watched.overrideConfiguration().toBuilder()
            .addExecutionInterceptor(lossyInterceptor)
            .build());
    Retry retry =
        new Retry(
            Duration.ofSeconds(10),
            Duration.ofMillis(1),
            Duration.ofMillis(50),
            MonotonicTime.system());
    this.backend = new DynamoDbNameBackend(settings, watched.build(), retry, Clock.systemUTC());
  }

  /** A table of the right schema. */
  static TestTable create(DynamoDbServer server) {
    return create(server, settings -> settings);
  }

  /** A table of the right schema, with settings of its own. */
  static TestTable create(DynamoDbServer server, UnaryOperator<DynamoDbSettings> with) {
    TestTable table = new TestTable(with.apply(settings(server)));
    table.backend.ensureTable();
    table.lossyInterceptor.reset();
    return table;
  }

  /** A name without a table. */
  static TestTable missing(DynamoDbServer server) {
    return new TestTable(settings(server));
  }

  private static DynamoDbSettings settings(DynamoDbServer server) {
    return DynamoDbSettings.of(server.freshTableName())
        .with()
        .region(server.region())
        .endpoint(server.endpoint())
        .timeout(Duration.ofSeconds(30))
        .credentials(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(server.accessKey(), server.secretKey())))
        .build();
  }

  /** The same table with other settings, for the caller to close. */
  DynamoDbNameBackend anotherBackend(UnaryOperator<DynamoDbSettings> with) {
    return new DynamoDbNameBackend(with.apply(settings));
  }

  DynamoDbNameBackend backend() {
    return backend;
  }

  /** A location that names the table, without the credentials, which no location has. */
  String location() {
    return settings.location();
  }

  /** One more instance on the same table, for the caller to close. */
  DynamoDbNameBackend anotherBackend() {
    return new DynamoDbNameBackend(settings);
  }

  /** Names of one more process on the same table, whose requests something sees or breaks off. */
  NameService namesOf(ExecutionInterceptor process) {
    DynamoDbClientBuilder client = DynamoDbClients.builder(settings);
    client.overrideConfiguration(
        client.overrideConfiguration().toBuilder().addExecutionInterceptor(process).build());
    return new NameService(
        new DynamoDbNameBackend(settings, client.build(), Retry.standard(), Clock.systemUTC()),
        NameOptions.standard().withoutNotifications());
  }

  NameService names() {
    return new NameService(backend, NameOptions.standard().withoutNotifications());
  }

  LossyInterceptor wire() {
    return lossyInterceptor;
  }

  /** A client that nobody watches. */
  DynamoDbClient client() {
    return outside;
  }

  String name() {
    return settings.table();
  }

  /** Everything under an address, by sort key. */
  Map<String, Map<String, AttributeValue>> rows(String pk) {
    Map<String, Map<String, AttributeValue>> rows = new TreeMap<>();
    outside
        .queryPaginator(
            q ->
                q.tableName(name())
                    .consistentRead(true)
                    .keyConditionExpression("pk = :pk")
                    .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(pk))))
        .items()
        .forEach(item -> rows.put(RequestSender.sk(item), item));
    return rows;
  }

  /** Puts an item as another program would. */
  void put(String pk, String sk, Map<String, AttributeValue> attributes) {
    Map<String, AttributeValue> item = new TreeMap<>(ItemCodec.key(pk, sk));
    item.putAll(attributes);
    outside.putItem(p -> p.tableName(name()).item(item));
  }

  void delete(String pk, List<String> sks) {
    sks.forEach(sk -> outside.deleteItem(d -> d.tableName(name()).key(ItemCodec.key(pk, sk))));
  }

  @Override
  public void close() {
    backend.close();
    outside.close();
  }
}
