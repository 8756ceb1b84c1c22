// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.view.EditJson;
import io.tidemark.names.view.RecordJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that a record may have: those that every backend can store and read again. */
class NameRecordTest {

  private static final Address ADDRESS = Address.parse("crm:main");

  private static ObjectNode ledger() {
    return RecordJson.wireForm(NameRecord.newLedger(ADDRESS, 1_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"created_at", "updated_at_ms", "branches", "index_rev"})
  void aNumberBelowZeroIsRefused(String member) {
    ObjectNode sent = ledger().put(member, -1L);
    assertThatThrownBy(() -> RecordJson.record(sent))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining(member)
        .hasMessageContaining("-1");
  }

  @Test
  void anEditAtATimeBelowZeroIsRefused() {
    ObjectNode edit = JsonNodeFactory.instance.objectNode().put("edit", "restore").put("at_ms", -1);
    assertThatThrownBy(() -> EditJson.read(edit))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("at_ms");
  }

  @Test
  void countersStayAtTheLargestNumber() {
    NameRecord last =
        RecordJson.record(
            ledger().put("index_rev", Long.MAX_VALUE).put("updated_at_ms", Long.MAX_VALUE));
    NameRecord changed = last.with(Concern.INDEX, ConcernValue.UNBORN, Long.MAX_VALUE);
    assertThat(changed.meta().indexRev()).isEqualTo(Long.MAX_VALUE);
    assertThat(NameRecord.Meta.next(last.meta().updatedAtMs())).isEqualTo(Long.MAX_VALUE);
    assertThat(NameRecord.Meta.next(7)).isEqualTo(8);
  }
}
