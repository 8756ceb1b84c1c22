// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameService;
import io.tidemark.names.config.ConnectionConfig;
import io.tidemark.names.config.Environment;
import io.tidemark.objects.InvalidLocationException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DynamoDbSettingsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"dynamodb:", "dynamodb://", "DynamoDB:///", "dynamodb://fluree-nameservice"})
  void whatIsLeftOutHasTheUsualValue_names5_16(String location) {
    DynamoDbSettings settings = DynamoDbSettings.parse(location);

    assertThat(settings)
        .isEqualTo(
            new DynamoDbSettings(
                "fluree-nameservice",
                "us-east-1",
                Optional.empty(),
                Duration.ofSeconds(5),
                Dialect.STANDARD,
                Optional.empty(),
                MissingTablePolicy.REFUSED,
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  void everythingCanBeSaid() {
    DynamoDbSettings settings =
        DynamoDbSettings.parse(
            "dynamodb://my_table.1?region=eu-central-1&endpoint=http%3A%2F%2Flocalhost:8000&timeout=700&dialect=fluree&migrate-from=old-table&create=true&objects=s3://bucket/a%26b%3Fregion%3Deu-west-1");

    assertThat(settings.table()).isEqualTo("my_table.1");
    assertThat(settings.region()).isEqualTo("eu-central-1");
    assertThat(settings.endpoint()).contains(URI.create("http://localhost:8000"));
    assertThat(settings.timeout()).isEqualTo(Duration.ofMillis(700));
    assertThat(settings.dialect()).isEqualTo(Dialect.FLUREE);
    assertThat(settings.migrateFrom()).contains("old-table");
    assertThat(settings.missingTable()).isEqualTo(MissingTablePolicy.CREATED);
    assertThat(settings.objects()).contains("s3://bucket/a&b?region=eu-west-1");
    assertThat(
            DynamoDbSettings.parse(settings.location())
                .withTimeout(settings.timeout())
                .withMissingTable(settings.missingTable()))
        .isEqualTo(settings);
  }

  @Test
  void aConnectionDocumentSaysTheSameAsALocation() {
    String document =
        """
        {"@context": {"@vocab": "https://ns.flur.ee/system#"}, "@graph": [
          {"@id": "s", "@type": "Storage"},
          {"@id": "p", "@type": "Publisher", "dynamodbTable": "names_1",
           "dynamodbEndpoint": "http://localhost:8000", "dynamodbTimeoutMs": 700},
          {"@id": "c", "@type": "Connection", "indexStorage": {"@id": "s"},
           "primaryPublisher": {"@id": "p"}}]}
        """;
    ConnectionConfig config = ConnectionConfig.parse(document, Environment.ofProcess());

    assertThat(DynamoDbSettings.parse(config.location()))
        .isEqualTo(
            new DynamoDbSettings(
                "names_1",
                "us-east-1",
                Optional.of(URI.create("http://localhost:8000")),
                Duration.ofMillis(700),
                Dialect.STANDARD,
                Optional.empty(),
                MissingTablePolicy.REFUSED,
                Optional.empty(),
                Optional.empty()));
    try (NameBackend names = config.openNames()) {
      assertThat(names.store().location())
          .isEqualTo("dynamodb://names_1?region=us-east-1&endpoint=http://localhost:8000");
    }
  }

  @ParameterizedTest
  @CsvSource({"250ms,250", "5s,5000", "1m,60000"})
  void aTimeMayHaveAUnit(String text, long millis) {
    assertThat(DynamoDbSettings.parse("dynamodb:?timeout=" + text).timeout().toMillis())
        .isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource({
    "s3://table, starts with dynamodb://",
    "dynamodb://ta, can't be the name of a table",
    "dynamodb://a b c, can't be the name of a table",
    "dynamodb://key:secret@table, credentials never belong",
    "dynamodb://table?region=, region=eu-central-1",
    "dynamodb://table?region=a_b, region=eu-central-1",
    "dynamodb://table?endpoint=localhost:8000, endpoint=http://server:port",
    "dynamodb://table?timeout=0, longer than nothing",
    "dynamodb://table?timeout=soon, is no time",
    "dynamodb://table?timeout=5&timeout=6, stands there twice",
    "dynamodb://table?dialect=rust, dialect is standard or fluree",
    "dynamodb://table?migrate-from=x, can't be the name of a table",
    "dynamodb://table?migrate-from=table, can't be migrated from itself",
    "dynamodb://table?create=, create is true or false",
    "dynamodb://table?create=yes, create is true or false",
    "dynamodb://table?secret=x, there is no parameter",
    "dynamodb://table?region=%zz, percent-encoded"
  })
  void whatCantBeMeantIsRefused(String location, String problem) {
    assertThatThrownBy(() -> DynamoDbSettings.parse(location))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource({"create=true, CREATED", "create=false, REFUSED", "region=eu-west-1, REFUSED"})
  void aMissingTableIsCreatedOnlyIfThatIsSaid(String parameter, MissingTablePolicy fate) {
    assertThat(DynamoDbSettings.parse("dynamodb://names?" + parameter).missingTable())
        .isEqualTo(fate);
  }

  @Test
  void aLocationOpensANameservice() {
    try (NameService names = NameService.open("dynamodb://some-table?region=eu-west-1")) {
      assertThat(names.location()).isEqualTo("dynamodb://some-table?region=eu-west-1");
    }
  }
}
