// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.Ref;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.UnsupportedStoreException;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Older forms where the room that reads them isn't on the class path, as it isn't here. */
class LegacyDocumentsTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final String KEY = "ns@v2/mydb/main.json";

  private final ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
  private final ObjectNameBackend backend =
      new ObjectNameBackend(store, DocumentLayout.B, Retry.standard(), Clock.systemUTC());

  private void put(String json) {
    assertThat(store.put(KEY, Body.of(json), Condition.none()).written()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"pk\":\"mydb:main\",\"v\":1,\"type\":\"ledger\"}",
        "{\"@type\":[\"db:Database\"],\"db:t\":1}",
        "{\"@context\":{\"f\":\"https://ns.flur.ee/ledger#\"},\"@type\":\"f:Database\"}",
        "{\"@type\":[\"f:Database\"],\"f:commit\":{\"@id\":\"c\"},\"f:t\":1}",
        "{\"@type\":[\"f:VirtualGraphDatabase\"],\"fidx:config\":\"{}\"}",
        "{\"@type\":[\"f:GraphSource\"],\"f:indexId\":\"i\",\"f:indexT\":1}"
      })
  void anOlderFormNamesTheArtifactThatReadsIt(String json) {
    put(json);
    assertThatThrownBy(() -> backend.find(MYDB))
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessage(
            KEY
                + " is in an older form, which needs tidemark-names-legacy on the class path; add"
                + " it");
  }

  @Test
  void aMigrationNamesTheArtifactThatReadsOlderForms() {
    assertThatThrownBy(() -> backend.migrate(MigrationMode.DRY_RUN).close())
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining("tidemark-names-legacy");
  }

  @Test
  void whatOtherProgramsWriteTodayIsReadWithoutIt() {
    put(
        """
        {"@context": {"f": "https://ns.flur.ee/db#"}, "@id": "mydb:main",
         "@type": ["f:LedgerSource"], "f:ledger": {"@id": "mydb"}, "f:branch": "main",
         "f:commitCid": "c3", "f:ledgerCommit": {"@id": "c3"}, "f:t": 3,
         "f:ledgerIndex": {"@id": "i2", "f:cid": "i2", "f:t": 2}, "f:status": "ready"}
        """);
    assertThat(backend.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("c3", 3));
    assertThat(backend.find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i2", 2));
  }
}
