// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.aws.internal.AwsClients;
import io.tidemark.aws.internal.AwsFailures.Effect;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.UnsupportedStoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** Setup that creates the table, or checks that the existing one can be used. */
final class TableSetup {

  private static final Logger LOG = LoggerFactory.getLogger(TableSetup.class);

  private static final List<String> PROJECTED =
      List.of(
          AttributeNames.NAME,
          AttributeNames.BRANCH,
          AttributeNames.SOURCE_TYPE,
          AttributeNames.DEPENDENCIES,
          AttributeNames.RETRACTED);

  private final RequestSender requestSender;
  private final Retry untilActive;

  /**
   * @param untilActive how long to wait for a table that is being created
   */
  TableSetup(RequestSender requestSender, Retry untilActive) {
    this.requestSender = requestSender;
    this.untilActive = untilActive;
  }

  void ensure() {
    Optional<TableDescription> table = describe();
    if (table.isEmpty()) {
      create();
      table = describe();
    }
    Retry.Backoff backoff = untilActive.start();
    while (!isUsable(table)) {
      if (!backoff.pause()) {
        throw new StoreUnavailableException(
            "the table " + requestSender.table() + " isn't active yet; try again later");
      }
      table = describe();
    }
  }

  /** A table with another key or without the index won't ever be. */
  private boolean isUsable(Optional<TableDescription> table) {
    table.ifPresent(this::check);
    return table.filter(TableSetup::active).isPresent();
  }

  private Optional<TableDescription> describe() {
    try {
      return Optional.of(
          requestSender.read(
              "look at the table " + requestSender.table(),
              c -> c.describeTable(d -> d.tableName(requestSender.table())).table()));
    } catch (InvalidLocationException e) {
      return Optional.empty();
    }
  }

  private void create() {
    CreateTableRequest request =
        CreateTableRequest.builder()
            .tableName(requestSender.table())
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .attributeDefinitions(
                string(AttributeNames.PK), string(AttributeNames.SK), string(AttributeNames.KIND))
            .keySchema(key(AttributeNames.PK, KeyType.HASH), key(AttributeNames.SK, KeyType.RANGE))
            .globalSecondaryIndexes(kindIndex())
            .build();
    try {
      requestSender.client().createTable(request);
      LOG.info("created the table {}", requestSender.table());
    } catch (ResourceInUseException e) {
      LOG.debug("somebody else is creating the table {}", requestSender.table());
    } catch (SdkException | AwsClients.NoCredentialsException | CancellationException e) {
      throw requestSender.failure("create the table " + requestSender.table(), Effect.POSSIBLE, e);
    }
  }

  private static GlobalSecondaryIndex kindIndex() {
    return GlobalSecondaryIndex.builder()
        .indexName(AttributeNames.KIND_INDEX)
        .keySchema(key(AttributeNames.KIND, KeyType.HASH), key(AttributeNames.PK, KeyType.RANGE))
        .projection(p -> p.projectionType(ProjectionType.INCLUDE).nonKeyAttributes(PROJECTED))
        .build();
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

  private static boolean active(TableDescription table) {
    return table.tableStatus() == TableStatus.ACTIVE
        && table.globalSecondaryIndexes().stream()
            .filter(index -> AttributeNames.KIND_INDEX.equals(index.indexName()))
            .allMatch(
                // A server that isn't AWS may leave the status out.
                index -> index.indexStatus() == null || index.indexStatus() == IndexStatus.ACTIVE);
  }

  private void check(TableDescription table) {
    List<String> wrong = new ArrayList<>();
    String keys = spell(table.keySchema(), table);
    String wanted = "pk (HASH, S), sk (RANGE, S)";
    if (!keys.equals(wanted)) {
      wrong.add("its key is " + keys + " and should be " + wanted);
    }
    Optional<GlobalSecondaryIndexDescription> index =
        table.globalSecondaryIndexes().stream()
            .filter(i -> AttributeNames.KIND_INDEX.equals(i.indexName()))
            .findFirst();
    if (index.isEmpty()) {
      wrong.add("it has no index " + AttributeNames.KIND_INDEX);
    } else {
      checkIndex(index.get(), table, wrong);
    }
    if (!wrong.isEmpty()) {
      throw new UnsupportedStoreException(
          "the table "
              + requestSender.table()
              + " can't be used: "
              + String.join("; ", wrong)
              + "; name another table, or migrate this one");
    }
  }

  private static void checkIndex(
      GlobalSecondaryIndexDescription index, TableDescription table, List<String> wrong) {
    String keys = spell(index.keySchema(), table);
    String wanted = "kind (HASH, S), pk (RANGE, S)";
    if (!keys.equals(wanted)) {
      wrong.add(
          "the key of its index " + index.indexName() + " is " + keys + " and should be " + wanted);
    }
    Projection projection = index.projection();
    Set<String> missing = new HashSet<>(PROJECTED);
    if (projection != null) {
      missing.removeAll(projection.nonKeyAttributes());
    }
    boolean all = projection != null && projection.projectionType() == ProjectionType.ALL;
    if (!all && !missing.isEmpty()) {
      wrong.add(
          "its index "
              + index.indexName()
              + " lacks "
              + String.join(", ", missing.stream().sorted().toList()));
    }
  }

  private static String spell(List<KeySchemaElement> keys, TableDescription table) {
    return Stream.of(KeyType.HASH, KeyType.RANGE)
        .flatMap(type -> keys.stream().filter(key -> key.keyType() == type))
        .map(
            key ->
                key.attributeName()
                    + " ("
                    + key.keyTypeAsString()
                    + ", "
                    + typeOf(key.attributeName(), table)
                    + ")")
        .reduce((a, b) -> a + ", " + b)
        .orElse("missing");
  }

  private static String typeOf(String name, TableDescription table) {
    return table.attributeDefinitions().stream()
        .filter(definition -> name.equals(definition.attributeName()))
        .map(AttributeDefinition::attributeTypeAsString)
        .findFirst()
        .orElse("?");
  }
}
