// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.string;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.Payload;
import io.tidemark.names.SourceType;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Records in order, by the index of kinds and in batches. */
class ListingTest extends DynamoDbTestBase {

  ListingTest(DynamoDbServer server) {
    super(server);
  }

  @Test
  void recordsAreListedInTheOrderOfTheirAddresses() {
    for (int i = 0; i < 45; i++) {
      if (i % 3 == 0) {
        names.graphSources().publish(numbered(i), SourceType.BM25, Payload.parse("{}"), List.of());
      } else {
        names.create(numbered(i));
      }
    }
    wire.reset();

    List<String> all = addresses("", "");

    assertThat(all)
        .isEqualTo(IntStream.range(0, 45).mapToObj(i -> numbered(i).toString()).toList());
    assertThat(wire.requests())
        .containsExactly("Query", "Query", "BatchGetItem", "BatchGetItem", "BatchGetItem");
    assertThat(addresses("db-1", "")).isEqualTo(all.subList(10, 20));
    assertThat(addresses("db-1", "db-14:main")).isEqualTo(all.subList(15, 20));
    assertThat(addresses("", "db-42:main")).isEqualTo(all.subList(43, 45));
    assertThat(addresses("", "db-42:mai")).isEqualTo(all.subList(42, 45));
    assertThat(addresses("db-1", "a")).isEqualTo(all.subList(10, 20));
    assertThat(addresses("db-1", "db-2")).isEmpty();
    assertThat(addresses("db-1", "db-19:main")).isEmpty();
    assertThat(addresses("nope", "")).isEmpty();
  }

  @Test
  void aListingReadsNoMoreThanIsAskedFor() {
    IntStream.range(0, 45).forEach(i -> names.create(numbered(i)));
    wire.reset();

    try (var records = backend.list("", "")) {
      assertThat(records.limit(5)).hasSize(5);
    }
    assertThat(wire.requests()).containsExactly("Query", "Query", "BatchGetItem");
  }

  @Test
  void aDamagedItemFailsItsRecordAndTheListingButNoOther() {
    names.create(MYDB);
    names.create(Address.parse("other"));
    table.put("mydb:main", "head", Map.of("commit_t", string("five")));

    assertThatThrownBy(() -> backend.find(MYDB))
        .isInstanceOf(CorruptRecordException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("commit_t");
    assertThatThrownBy(() -> addresses("", "")).isInstanceOf(CorruptRecordException.class);
    assertThat(backend.find(Address.parse("other"))).isPresent();
  }

  private List<String> addresses(String prefix, String startAfter) {
    try (var records = backend.list(prefix, startAfter)) {
      return records.map(record -> record.address().toString()).toList();
    }
  }

  private static Address numbered(int i) {
    return Address.parse("db-%02d".formatted(i));
  }
}
