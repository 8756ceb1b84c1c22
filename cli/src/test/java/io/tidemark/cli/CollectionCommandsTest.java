// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CollectionCommandsTest extends FeatureCommandFixture {

  @Test
  void aCollectionIsMadeChangedDeletedRestoredAndPurged() {
    assertThat(done("collection", "list")).isEqualTo("no collections");
    assertThat(done("collection", "create", "roads", "--one-table", "--default-author", "ann"))
        .startsWith("collection        roads\n")
        .contains(
            "features          not counted yet",
            "history           36500 days",
            "tables            1\n",
            "deleted features  kept",
            "author            ann");
    failed(6, "the collection roads is there already", "collection", "create", "roads");
    assertThat(done("collection", "update", "roads", "--max-age", "365", "--default-author", ""))
        .contains("history           365 days")
        .doesNotContain("ann");
    assertThat(done("collection", "history", "roads", "off")).contains("history           off");
    assertThat(done("collection", "history", "roads", "on")).contains("history           365 days");
    assertThat(done("collection", "list"))
        .matches(
            "COLLECTION  STATE  HISTORY   TABLES  CHANGED\\R"
                + "roads       there  365 days  1       2\\d{3}-.*Z");

    assertThat(done("collection", "delete", "roads")).isEqualTo("deleted roads");
    assertThat(done("collection", "delete", "roads", "--json"))
        .isEqualTo("{\"deleted\":null,\"absent\":\"roads\"}");
    assertThat(done("collection", "list", "--json")).isEqualTo("[]");
    assertThat(done("collection", "list", "--deleted")).contains("roads       deleted");
    failed(6, "is there and deleted; restore it", "collection", "create", "roads");
    failed(4, "is in deleted state; restore it", "collection", "history", "roads", "off");
    assertThat(done("collection", "restore", "roads", "--json")).contains("\"deleted\":false");

    failed(7, "can't be undone; say --yes", "collection", "purge", "roads");
    assertThat(done("collection", "purge", "roads", "--yes")).isEqualTo("purged roads");
    assertThat(done("collection", "purge", "roads", "--yes", "--json"))
        .isEqualTo("{\"purged\":null,\"absent\":\"roads\"}");
    failed(1, "there is no collection 'roads'", "collection", "info", "roads");
  }

  @Test
  void programsGetWhatIsKnownAndTransactionNumbersAsTextWhenTheyAsk() {
    assertThat(done("collection", "create", "stops", "--points-only", "--one-table", "--json"))
        .contains("\"id\":\"stops\"", "\"pointsOnly\":true", "\"partitioned\":false")
        .containsPattern("\"txn\":\\d{19}[,}]");
    assertThat(done("collection", "info", "stops", "--json", "--text-txn"))
        .containsPattern("\"txn\":\"\\d{19}\"");
  }

  @Test
  void whatCannotBeDoneSaysWhy() {
    failed(4, "'Foo' can't be the id of a collection; it begins", "collection", "create", "Foo");
    failed(4, "maxAge is -1", "collection", "create", "a", "--max-age", "-1");
    failed(2, "say what is to be different", "collection", "update", "a");
    failed(2, "'of' is none of on, off", "collection", "history", "a", "of");
    assertFailed(2, "say what to do: create, list", plain("features", "collection"));
    failed(2, "Missing required parameter: 'COLLECTION'", "collection", "info");
    failed(5, "holds the storage 'store', not 'other'", "collection", "list", "--storage", "other");
    failed(4, "'A' can't be the id of a storage", "collection", "list", "--storage", "A");
  }
}
