// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.directory.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What documents mean, and what is said of those that mean nothing. */
class ConnectionConfigTest {

  private static final String USES_S =
      "{\"@id\":\"c\",\"@type\":\"Connection\",\"indexStorage\":{\"@id\":\"s\"}}";

  /** Some variables and properties, and no others. */
  private record FixedEnvironment(Map<String, String> variables, Map<String, String> properties)
      implements Environment {
    @Override
    public Optional<String> variable(String name) {
      return Optional.ofNullable(variables.get(name));
    }

    @Override
    public Optional<String> property(String name) {
      return Optional.ofNullable(properties.get(name));
    }
  }

  private static final Environment NOTHING = new FixedEnvironment(Map.of(), Map.of());

  @Test
  void theGuidesDocumentSaysWhereEverythingIs() throws IOException {
    ConnectionConfig config = ConnectionConfig.parse(fixture("guide.json"), NOTHING);

    StorageNode s3 =
        new StorageNode.S3(
            "fluree-production-data",
            "ledgers",
            Optional.of(URI.create("https://s3.us-east-1.amazonaws.com")),
            new StorageNode.Requests(
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty()),
            Optional.of("prod-s3"));
    assertThat(config)
        .isEqualTo(
            new ConnectionConfig(
                s3,
                s3,
                Optional.of(
                    new PublisherNode.DynamoDb(
                        "fluree-nameservice",
                        "us-east-1",
                        Optional.empty(),
                        Duration.ofSeconds(5))),
                OptionalInt.of(4),
                OptionalInt.of(1000)));
    assertThat(config.location())
        .isEqualTo("dynamodb://fluree-nameservice?region=us-east-1&timeout=5000ms");
    assertThat(config.indexStorage().location())
        .isEqualTo(
            "s3://fluree-production-data/ledgers?region=us-east-1"
                + "&endpoint=https%3A%2F%2Fs3.us-east-1.amazonaws.com");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'dynamodbTable':'names' | dynamodb://names?region=us-east-1&timeout=5000ms",
        "'dynamodbTable':'names','dynamodbRegion':'eu-west-1','dynamodbTimeoutMs':250,"
            + "'dynamodbEndpoint':'http://localhost:8000'"
            + "| dynamodb://names?region=eu-west-1"
            + "&endpoint=http%3A%2F%2Flocalhost%3A8000&timeout=250ms",
        "'storage':{'@id':'s'} | s3://data",
        "'storage':'s' | s3://data",
        " | memory:",
      })
  void aPublisherIsATableAStorageOrMemory(String fields, String location) {
    String publisher =
        "{'@id':'p','@type':'Publisher'" + (fields == null ? "" : "," + fields) + "}";
    String connection =
        "{'@type':'Connection','indexStorage':{'@id':'s'},'primaryPublisher':{'@id':'p'}}";
    String storage = "{'@id':'s','@type':'Storage','s3Bucket':'data'}";
    assertThat(parse(storage, publisher, connection).location()).isEqualTo(location);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'filePath':'/var/lib/tidemark' | file:///var/lib/tidemark?durability=sync",
        "'filePath':'/a b#c?d%','durability':'page-cache'"
            + "| file:///a%20b%23c%3Fd%25?durability=page-cache",
        "'s3Bucket':'b' | s3://b",
        "'s3Bucket':'b','s3Prefix':'/led gers/x/' | s3://b/led%20gers/x",
        "'s3Bucket':'b','s3ReadTimeoutMs':100,'s3WriteTimeoutMs':'300','s3ListTimeoutMs':200,"
            + "'s3MaxConcurrentRequests':32 | s3://b?request-timeout=300ms&max-requests=32",
        "'s3Bucket':'b','s3Endpoint':'https://s3-eu-west-3.amazonaws.com'"
            + "| s3://b?region=eu-west-3&endpoint=https%3A%2F%2Fs3-eu-west-3.amazonaws.com",
        "'addressIdentifier':'mem' | memory:",
      })
  void withoutAPublisherNamesLieInTheStorage(String fields, String location) {
    assertThat(parse("{'@id':'s','@type':'Storage'," + fields + "}", USES_S).location())
        .isEqualTo(location);
  }

  @Test
  void namesLieWithTheCommitsWhenTheseLieApartFromTheIndices() {
    ConnectionConfig config =
        parse(
            "{'@id':'s','@type':'Storage','s3Bucket':'indices'}",
            "{'@id':'d','@type':'Storage','filePath':'/commits'}",
            "{'@type':'Connection','indexStorage':{'@id':'s'},'commitStorage':{'@id':'d'}}");
    assertThat(config.commitStorage())
        .isEqualTo(
            new StorageNode.Directory(Path.of("/commits"), Durability.SYNC, Optional.empty()));
    assertThat(config.location()).isEqualTo("file:///commits?durability=sync");
  }

  @Test
  void howToTryAgainIsKept() {
    StorageNode storageNode =
        parse(
                "{'@id':'s','@type':'Storage','s3Bucket':'b','s3MaxRetries':4,"
                    + "'s3RetryBaseDelayMs':50,'s3RetryMaxDelayMs':1600}",
                USES_S)
            .indexStorage();
    assertThat(((StorageNode.S3) storageNode).requests())
        .isEqualTo(
            new StorageNode.Requests(
                Optional.empty(),
                OptionalInt.of(4),
                Optional.of(Duration.ofMillis(50)),
                Optional.of(Duration.ofMillis(1600)),
                OptionalInt.empty()));
  }

  @Test
  void howeverOftenToTryAgainItCanBeReckoned() {
    Optional<Duration> briefly = Optional.of(Duration.ofMillis(1));
    StorageNode.Requests requests =
        new StorageNode.Requests(
            Optional.empty(),
            OptionalInt.of(Integer.MAX_VALUE),
            briefly,
            briefly,
            OptionalInt.empty());
    assertThat(requests.retry().start().pause()).isTrue();
  }

  @Test
  void prefixesAndFullIrisMeanTheSame() {
    String system = "https://ns.flur.ee/system#";
    String full =
        """
        {"@graph": [
          {"@id": "http://example.com/s", "@type": ["%1$sStorage"],
           "%1$ss3Bucket": [{"@value": "data"}]},
          {"@id": "http://example.com/c", "@type": ["%1$sConnection"],
           "%1$sparallelism": {"%1$senvVar": "P", "%1$sdefaultVal": 3},
           "%1$sindexStorage": [{"@id": "http://example.com/s"}]}]}
        """
            .formatted(system);
    String prefixed =
        """
        {"@context": [{"f": "%s", "ex": "http://example.com/", "bucket": {"@id": "f:s3Bucket"}}],
         "@graph": [
          {"@id": "ex:s", "@type": "f:Storage", "bucket": "data"},
          {"@id": "ex:c", "@type": "f:Connection", "f:parallelism": 3,
           "f:indexStorage": {"@id": "http://example.com/s"}}]}
        """
            .formatted(system);
    ConnectionConfig config = ConnectionConfig.parse(full, NOTHING);
    assertThat(config.location()).isEqualTo("s3://data");
    assertThat(config.parallelism()).hasValue(3);
    assertThat(ConnectionConfig.parse(prefixed, NOTHING)).isEqualTo(config);
  }

  @Test
  void namesOfAnotherVocabularyAreNotMeant() {
    String json = "{\"@context\":{\"@vocab\":\"http://example.com/\"},\"@graph\":[" + USES_S + "]}";
    assertThatThrownBy(() -> ConnectionConfig.parse(json, NOTHING))
        .hasMessage(
            "the connection document has no node of the type Connection; it needs exactly one");
  }

  @ParameterizedTest
  @CsvSource({
    "from-env, from-property, from-env",
    "'', from-property, from-property",
    ", from-property, from-property",
    ", '', from-default",
    ", , from-default",
  })
  void theVariableComesFirstThenThePropertyThenTheDefault(
      String variable, String property, String expected) {
    Environment given =
        new FixedEnvironment(
            variable == null ? Map.of() : Map.of("BUCKET", variable),
            property == null ? Map.of() : Map.of("my.bucket", property));
    String storage =
        "{'@id':'s','@type':'Storage','s3Bucket':"
            + "{'envVar':'BUCKET','javaProp':'my.bucket','defaultVal':'from-default'}}";
    assertThat(ConnectionConfig.parse(document(storage, USES_S), given).location())
        .isEqualTo("s3://" + expected);
  }

  @Test
  void numbersComeFromTheEnvironmentToo() {
    String storage =
        "{'@id':'s','@type':'Storage','s3Bucket':'b','s3ReadTimeoutMs':{'envVar':'TIMEOUT'}}";
    FixedEnvironment fixedEnvironment = new FixedEnvironment(Map.of("TIMEOUT", "1500"), Map.of());
    assertThat(ConnectionConfig.parse(document(storage, USES_S), fixedEnvironment).location())
        .isEqualTo("s3://b?request-timeout=1500ms");
    FixedEnvironment wrong = new FixedEnvironment(Map.of("TIMEOUT", "hunter2"), Map.of());
    assertThatThrownBy(() -> ConnectionConfig.parse(document(storage, USES_S), wrong))
        .as("a variable may hold a secret, so its value isn't repeated")
        .hasMessage(
            "the node s has in s3ReadTimeoutMs the environment variable TIMEOUT, which is no whole"
                + " number from 1; correct it");
  }

  @Test
  void caseSixtyOneADurabilityFromTheEnvironmentIsChecked() {
    String storage =
        "{'@id':'s','@type':'Storage','filePath':'/p','durability':{'envVar':'FSYNC'}}";
    FixedEnvironment lazy = new FixedEnvironment(Map.of("FSYNC", "page-cache"), Map.of());
    assertThat(ConnectionConfig.parse(document(storage, USES_S), lazy).location())
        .isEqualTo("file:///p?durability=page-cache");
    FixedEnvironment wrong = new FixedEnvironment(Map.of("FSYNC", "hunter2"), Map.of());
    assertThatThrownBy(() -> ConnectionConfig.parse(document(storage, USES_S), wrong))
        .hasMessage(
            "the node s has in durability the environment variable FSYNC; write sync or"
                + " page-cache");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'s3Bucket':{'envVar':'B','javaProp':'b'} | the node s has in s3Bucket no value; set the"
            + " environment variable B or the system property b, or write a defaultVal",
        "'filePath':{'javaProp':'dir'} | the node s has in filePath no value; set the system"
            + " property dir, or write a defaultVal",
        "'s3Bucket':{'envVar':7} | the node s has in s3Bucket an envVar that is no name; write it"
            + " as text",
        "'s3Bucket':{'bucket':'b'} | the node s has in s3Bucket no single value; write one, or"
            + " {\"envVar\": ..., \"javaProp\": ..., \"defaultVal\": ...}",
        "'s3Prefix':'p' | the node s has in s3Bucket nothing; write the name of the bucket",
        "'s3Bucket':'b','filePath':'/p' | the node s has in filePath a directory, but has a bucket"
            + " as well; leave one out",
        "'s3Bucket':'b','s3MaxRetries':-1 | the node s has in s3MaxRetries \"-1\", which is no"
            + " whole number from 0; correct it",
        "'s3Bucket':'b','s3Endpoint':'http://me:secret@host' | the node s has in s3Endpoint a value"
            + " that is not the address of a server; write http://server:port",
        "'filePath':'/p','durability':'eventual' | the node s has in durability \"eventual\"; write"
            + " sync or page-cache",
        "'filePath':'/p','AES256Key':'hunter2' | the node s has in AES256Key a key, but nothing is"
            + " encrypted here; remove it, and let the disk or the bucket encrypt",
      })
  void caseSixtyOneAndOtherMistakesInAStorage(String fields, String message) {
    assertThatThrownBy(() -> parse("{'@id':'s','@type':'Storage'," + fields + "}", USES_S))
        .isInstanceOf(InvalidConnectionException.class)
        .hasMessage(message);
  }

  @Test
  void aKeyThatIsntSetAnywhereIsNone() {
    String storage = "{'@id':'s','@type':'Storage','filePath':'/p','AES256Key':{'envVar':'KEY'}}";
    assertThat(parse(storage, USES_S).location()).isEqualTo("file:///p?durability=sync");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'@id':'s','@type':'Storage'} | the connection document has no node of the type"
            + " Connection; it needs exactly one",
        "{'@id':'a','@type':'Connection'},{'@id':'b','@type':'Connection'} | the connection"
            + " document has 2 nodes of the type Connection (the node a, the node b); it needs"
            + " exactly one",
        "{'@id':'c','@type':'Connection'} | the node c has in indexStorage nothing; write"
            + " {\"@id\": \"...\"} of a Storage node",
        "{'@type':'Connection','indexStorage':{'@id':'x'}} | the node without an @id has in"
            + " indexStorage the @id x, which no node of the document has; add one",
        "{'@id':'c','@type':'Connection','indexStorage':7} | the node c has in indexStorage a value"
            + " that refers to no node; write {\"@id\": \"...\"}",
        "{'@id':'c','@type':'Connection','indexStorage':{'@id':'s'}},{'@id':'s','@type':"
            + "'Publisher'} | the node c has in indexStorage the @id s, which is of the type"
            + " Publisher; it must be a Storage",
        "{'@id':'c','@type':'Connection','indexStorage':{'@id':'s'}},{'@id':'s','@type':"
            + "'Storage'},{'@id':'s','@type':'Storage'} | the connection document has 2 nodes with"
            + " the @id s; give each an @id of its own",
        "{'@id':'c','@type':'Connection','indexStorage':{'@id':'s'},'primaryPublisher':{'@id':'p'}"
            + "},{'@id':'s','@type':'Storage'},{'@id':'p','@type':'Publisher','dynamodbRegion':"
            + "'us-east-1'} | the node p has in dynamodbTable nothing; write the name of the table",
        "{'@id':'c','@type':'Connection','indexStorage':{'@id':'s'},'primaryPublisher':{'@id':'p'}"
            + "},{'@id':'s','@type':'Storage'},{'@id':'p','@type':'Publisher','dynamodbTable':"
            + "'t','storage':{'@id':'s'}} | the node p has in storage a node, but has a table as"
            + " well; leave one out",
      })
  void mistakesInTheGraph(String nodes, String message) {
    assertThatThrownBy(() -> parse(nodes))
        .isInstanceOf(InvalidConnectionException.class)
        .hasMessage(message);
  }

  @Test
  void whatIsNoDocumentIsSaidWithoutRepeatingIt() {
    assertThatThrownBy(() -> ConnectionConfig.parse("{\"AES256Key\": hunter2}", NOTHING))
        .isInstanceOf(InvalidConnectionException.class)
        .hasMessage("the connection document is no JSON (line 1, column 15); correct it there")
        .hasNoCause();
    assertThatThrownBy(() -> ConnectionConfig.parse("{}", NOTHING))
        .hasMessage(
            "the connection document has no @graph; write {\"@context\": {\"@vocab\":"
                + " \"https://ns.flur.ee/system#\"}, \"@graph\": [...]}");
  }

  @Test
  void whatIsntKnownIsIgnored() {
    assertThat(
            parse(
                    "{'@id':'s','@type':'Storage','s3Bucket':'b','s3Bukket':'c','x:y':1}",
                    "{'@id':'t','@type':'Transactor'}",
                    USES_S)
                .location())
        .isEqualTo("s3://b");
  }

  private static ConnectionConfig parse(String... nodes) {
    return ConnectionConfig.parse(document(nodes), NOTHING);
  }

  private static String document(String... nodes) {
    return "{\"@context\":{\"@vocab\":\"https://ns.flur.ee/system#\"},\"@graph\":["
        + String.join(",", nodes).replace('\'', '"')
        + "]}";
  }

  private static String fixture(String name) throws IOException {
    try (InputStream in = requireNonNull(ConnectionConfigTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
