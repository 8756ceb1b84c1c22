// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.C2;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses there are, and that each is another place. */
interface AddressContract {

  List<String> BAD_BRANCHES =
      List.of(
          "",
          "   ",
          "a:b",
          "a@b",
          "..",
          ".",
          "../etc",
          "foo/..",
          "foo/../bar",
          "foo/./bar",
          "/foo",
          "foo/",
          "foo//bar",
          "a\0b",
          "a\nb",
          "a\\b",
          "a%2Fb",
          "ü",
          "b".repeat(129));

  NamesFixture fixture();

  @ParameterizedTest
  @ValueSource(strings = {"a:b:c", ":main", "a:", "", ":", "::", "a::b"})
  default void anAddressHasOneNameAndOneBranch_names42(String text) {
    assertThatThrownBy(() -> Address.parse(text))
        .isInstanceOf(InvalidAddressException.class)
        .hasMessageContaining("the address \"" + text + "\" has ");
    assertThat(fixture().listed()).isEmpty();
  }

  @Test
  default void theBranchIsMainWhenNoneIsNamed_names42_names5_4() {
    NameService names = fixture().names();
    Address branchless = Address.parse("mydb");
    assertThat(branchless).isEqualTo(MYDB).hasToString("mydb:main");
    names.create(branchless);
    names.ledgers().publishCommit(MYDB, Ref.of(C1, 1));
    assertThat(names.find(branchless)).isEqualTo(names.find(MYDB));
    assertThat(names.find(branchless).orElseThrow().address()).isEqualTo(MYDB);
    assertThat(names.get(branchless, Concern.HEAD)).contains(head(C1, 1));
    names.push(branchless, Concern.STATUS, Optional.of(READY), state(2, "x"));
    assertThat(names.get(MYDB, Concern.STATUS)).contains(state(2, "x"));
    names.retract(branchless);
    assertThat(names.find(MYDB).orElseThrow().meta().retracted()).isTrue();
    names.purge(branchless);
    assertThat(names.find(MYDB)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"release/v1.0", "a", "a.b", "A_b-C.9", "-", "_", "...", "..a", "a/..b/c"})
  default void branchesMayBeNamedSo_names43(String branch) {
    Address address = new Address("mydb", branch);
    fixture().ledger(address, C1, 1);
    assertThat(fixture().record(address).address()).isEqualTo(address);
    assertThat(fixture().listed()).containsExactly("mydb:" + branch);
  }

  @Test
  default void theLongestNamesAreKept_names43() {
    String longest = ("n".repeat(63) + "/").repeat(3) + "n".repeat(63);
    assertThat(longest).hasSize(255);
    Address address = new Address(longest, "a".repeat(128));
    fixture().ledger(address, C1, 1);
    assertThat(fixture().get(address, Concern.HEAD)).contains(head(C1, 1));
    assertThat(fixture().listed()).containsExactly(longest + ":" + "a".repeat(128));
    fixture().ledger(new Address("n".repeat(255), "b"), C2, 2);
    assertThat(fixture().get(new Address("n".repeat(255), "b"), Concern.HEAD))
        .contains(head(C2, 2));
  }

  @ParameterizedTest
  @FieldSource("BAD_BRANCHES")
  default void branchesMayNotBeNamedSo_names43(String branch) {
    assertThatThrownBy(() -> new Address("mydb", branch))
        .isInstanceOf(InvalidAddressException.class);
    assertThatThrownBy(() -> MYDB.onBranch(branch)).isInstanceOf(InvalidAddressException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../x:main",
        "/abs:main",
        "..:main",
        "a/../b:main",
        "./a:main",
        "a/:main",
        "a//b:main",
        "a b:main",
        "a@t:main",
        "a#b:main",
        "a?b:main",
        "C:\\x",
        "a\\..\\b:main",
        "%2e%2e:main",
        "naïve:main"
      })
  default void namesMayNotBeNamedSo_names44_names60(String text) {
    assertThatThrownBy(() -> Address.parse(text)).isInstanceOf(InvalidAddressException.class);
    assertThat(fixture().listed()).isEmpty();
  }

  @Test
  default void aNameOf256BytesIsTooLong_names44() {
    assertThatThrownBy(() -> new Address("n".repeat(256), "main"))
        .isInstanceOf(InvalidAddressException.class)
        .hasMessageContaining("255");
  }

  /** Addresses that share a path, a sidecar or a lock when the mapping to keys is careless. */
  private static List<Address> lookalikes() {
    List<Address> all = new ArrayList<>();
    for (String text :
        List.of(
            "a/b:c",
            "a:b/c",
            "a/b/c:main",
            "a:b/c/main",
            "mydb:main",
            "mydb:main.index",
            "mydb:main.index.json",
            "mydb:main.json",
            "mydb:main.head",
            "mydb:main.status",
            "mydb:main.config",
            "mydb:main.lock",
            "mydb:main.commits.jsonl",
            "mydb:main.snapshots",
            "mydb/main:index",
            "mydb.main:index",
            "mydb/release:v1.0",
            "mydb:release/v1.0",
            "tenant:db/main",
            "tenant/db:main",
            "MYDB:main",
            "mydb:MAIN",
            "x.json:main",
            "x:main.json.123.0.tmp",
            "ns-v2:main",
            "main:main")) {
      all.add(Address.parse(text));
    }
    return all;
  }

  @Test
  default void everyAddressIsAnotherPlace_names56_names5_7() {
    List<Address> all = lookalikes();
    for (int i = 0; i < all.size(); i++) {
      fixture().ledger(all.get(i), "c" + i, i + 1);
      fixture().names().ledgers().publishIndex(all.get(i), Ref.of("i" + i, i + 1));
    }
    for (int i = 0; i < all.size(); i++) {
      NameRecord record = fixture().record(all.get(i));
      assertThat(record.address()).isEqualTo(all.get(i));
      assertThat(record.head()).as("%s", all.get(i)).isEqualTo(head("c" + i, i + 1));
      assertThat(record.index()).as("%s", all.get(i)).isEqualTo(index("i" + i, i + 1, 0));
    }
    assertThat(fixture().listed())
        .containsExactlyElementsOf(all.stream().map(Address::toString).sorted().toList());
  }

  @Test
  default void purgingOneAddressLeavesItsLookalikes_names5_7() {
    List<Address> left = new ArrayList<>(lookalikes());
    left.forEach(address -> fixture().ledger(address, "c-" + address, 1));
    while (!left.isEmpty()) {
      Address gone = left.remove(left.size() / 2);
      fixture().names().purge(gone);
      assertThat(fixture().names().find(gone)).isEmpty();
      assertThat(fixture().listed())
          .as("after %s", gone)
          .containsExactlyElementsOf(left.stream().map(Address::toString).sorted().toList());
    }
  }

  @Test
  default void branchesOfLookalikesAreKeptApart_names5_7() {
    lookalikes().forEach(address -> fixture().ledger(address, C1, 1));
    assertThat(fixture().names().branches().list("tenant"))
        .extracting(record -> record.address().toString())
        .containsExactly("tenant:db/main");
    assertThat(fixture().names().branches().list("a"))
        .extracting(record -> record.address().toString())
        .containsExactly("a:b/c", "a:b/c/main");
    assertThat(fixture().names().branches().list("mydb"))
        .extracting(record -> record.address().branch())
        .contains("main.index", "main.index.json", "main.json", "release/v1.0");
  }

  @Test
  default void tenantsAndFeatureBranchesAreListedByTheirOwnNames_names56() {
    fixture().ledger(Address.parse("tenant/customers:main"), C1, 1);
    fixture().ledger(MYDB, C1, 1);
    fixture().names().branches().create(MYDB, "feature/auth", Optional.empty());
    assertThat(fixture().listed())
        .containsExactly("mydb:feature/auth", "mydb:main", "tenant/customers:main");
  }
}
