// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.objects.RecordKey.Part;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordKeyTest {

  private static final String[] WORDS = {
    "a",
    "b",
    "main",
    ".",
    "/",
    ".index",
    ".head",
    ".status",
    ".config",
    ".commits",
    ".snapshots",
    ".json",
    "2F",
    "2E",
    "-",
    "_",
    "index",
    "json",
    "..."
  };

  @ParameterizedTest
  @CsvSource({
    "mydb:main, ns@v2/mydb/main.json",
    "tenant/customers:main, ns@v2/tenant/customers/main.json",
    "mydb:v1.0, ns@v2/mydb/v1.0.json",
    "mydb:feature/auth, ns@v2/mydb/feature%2Fauth.json",
    "mydb:main.index, ns@v2/mydb/main%2Eindex.json",
    "mydb:a.index.head, ns@v2/mydb/a.index%2Ehead.json",
    "mydb:.config, ns@v2/mydb/%2Econfig.json",
  })
  void aPlainAddressIsItsPathAndOthersAreEncoded(String address, String key) {
    assertThat(new RecordKey(Address.parse(address), Part.MAIN).text()).isEqualTo(key);
  }

  @Test
  void everyKeyLeadsBackToItsAddressAndNoTwoAreTheSame() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    Map<String, RecordKey> seen = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      Optional<Address> address = randomAddress(random);
      for (Part part : Part.values()) {
        address
            .map(a -> new RecordKey(a, part))
            .ifPresent(
                key -> {
                  assertThat(RecordKey.parse(key.text())).as("seed %d", seed).contains(key);
                  RecordKey before = seen.put(key.text(), key);
                  assertThat(before == null || before.equals(key)).as("seed %d", seed).isTrue();
                });
      }
    }
  }

  @Test
  void aPrefixOfAddressesIsAPrefixOfTheirKeys() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      Optional<Address> address = randomAddress(random);
      if (address.isPresent()) {
        String text = address.get().toString();
        String prefix = text.substring(0, random.nextInt(text.length() + 1));
        for (Part part : Part.values()) {
          assertThat(new RecordKey(address.get(), part).text())
              .as("seed %d", seed)
              .startsWith(RecordKey.prefixOf(prefix));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ns@v2/mydb/main.snapshots.json",
        "ns@v2/mydb/main.commits.json",
        "ns@v2/mydb/main.commits.jsonl",
        "ns@v2/mydb/main.lock",
        "ns@v2/mydb/%41.json",
        "ns@v2/mydb/a%2Eb.json",
        "ns@v2/mydb/.json",
        "ns@v2/mydb/with space.json",
        "ns@v2/main.json",
        "ns@v1/mydb/main.json",
        "mydb.json"
      })
  void otherFilesAreNoRecords(String key) {
    assertThat(RecordKey.parse(key)).isEmpty();
  }

  private static Optional<Address> randomAddress(Random random) {
    try {
      return Optional.of(new Address(randomText(random), randomText(random)));
    } catch (InvalidAddressException e) {
      return Optional.empty();
    }
  }

  private static String randomText(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i >= 0; i--) {
      text.append(WORDS[random.nextInt(WORDS.length)]);
    }
    return text.toString();
  }
}
