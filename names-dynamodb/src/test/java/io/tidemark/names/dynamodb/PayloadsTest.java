// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.SEARCH;
import static io.tidemark.names.dynamodb.Samples.at;
import static io.tidemark.names.dynamodb.Samples.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What JSON becomes in an item, and comes back as. */
class PayloadsTest extends DynamoDbTestBase {

  PayloadsTest(DynamoDbServer server) {
    super(server);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"n\":9007199254740993,\"m\":-9223372036854775808}",
        "{\"n\":1.00,\"m\":1.0,\"z\":0.0,\"e\":1e2}",
        "{\"n\":123456789012345678901234567890123456789012345}",
        "{\"n\":1e400,\"m\":-1E-400}",
        "{\"n\":0.000000000000000000000000000000000001,\"m\":1.5}",
        "{\"n\":-0,\"m\":-0.0}",
        "{\"s\":\"\",\"t\":\"\\u00e9\\ud83d\\ude00\",\"b\":true,\"x\":null,\"l\":[1,[],{}]}",
        "{\"\":1,\"a\":{\"\":2}}",
        "{\"status\":1,\"name\":{\"select\":[1]}}"
      })
  void aPayloadComesBackAsItWentInAndCanBeExpected(String json) {
    names.create(MYDB);
    String status = json.replaceFirst("\\{", "{\"state\":\"x\"" + (json.equals("{}") ? "" : ","));
    ConcernValue ready = backend.get(MYDB, Concern.STATUS).orElseThrow();
    ConcernValue next = at(2, status);

    backend.change(MYDB, push(Concern.STATUS, ready, next));

    ConcernValue found = backend.get(MYDB, Concern.STATUS).orElseThrow();
    assertThat(found).isEqualTo(next);
    wire.reset();
    assertThat(backend.change(MYDB, push(Concern.STATUS, found, at(3, "{\"state\":\"y\"}"))))
        .isInstanceOf(Applied.class);
    assertThat(wire.requests()).containsExactly("UpdateItem");
  }

  @Test
  void aDeeplyNestedPayloadComesBack() {
    String json = "{\"state\":\"x\",\"d\":" + "[".repeat(100) + "1" + "]".repeat(100) + "}";
    names.create(MYDB);
    ConcernValue ready = backend.get(MYDB, Concern.STATUS).orElseThrow();

    backend.change(MYDB, push(Concern.STATUS, ready, at(2, json)));

    assertThat(backend.get(MYDB, Concern.STATUS)).contains(at(2, json));
  }

  @Test
  void whatIsExpectedMayBeSpelledInAnotherWay() {
    names.create(MYDB);
    backend.change(MYDB, push(Concern.CONFIG, ConcernValue.UNBORN, at(1, "{\"b\":1.00,\"a\":2}")));

    assertThat(
            backend.change(MYDB, push(Concern.CONFIG, at(1, "{\"a\":2, \"b\":1.00}"), at(2, "{}"))))
        .isEqualTo(new Applied(at(2, "{}")));
  }

  @Test
  void aConfigKeepsItsText() {
    String text = "{\"k1\": 1.20, \"b\":0.75}";
    names.graphSources().publish(SEARCH, SourceType.BM25, Payload.parse(text), List.of());

    assertThat(backend.find(SEARCH).orElseThrow().config().payload().map(Payload::toJson))
        .contains(text);
  }

  @Test
  void aWatermarkOf64BitsSurvives() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c", 9007199254740993L));
    names.ledgers().publishCommit(MYDB, Ref.of("d", Long.MAX_VALUE));

    assertThat(backend.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("d", Long.MAX_VALUE));
  }

  @Test
  void aPayloadThatIsTooLargeForAnItemIsRefused() {
    names.create(MYDB);
    String json = "{\"state\":\"x\",\"filler\":\"" + "x".repeat(500_000) + "\"}";
    ConcernValue ready = backend.get(MYDB, Concern.STATUS).orElseThrow();

    assertThatThrownBy(() -> backend.change(MYDB, push(Concern.STATUS, ready, at(2, json))))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("400 KB");
    assertThat(backend.get(MYDB, Concern.STATUS)).contains(ready);
  }
}
