// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.named.NamedLedgerInitializer;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.names.Address;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.ledger.LedgerReadingContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/** Contract of reading ledgers in process, on a store that a test names. */
abstract class EmbeddedReadingContract extends LedgerReadingContract {

  abstract OpenOptions options();

  @Override
  protected Tidemark open() {
    Tidemark tidemark = Tidemark.open(options().withCache(Optional.of(directory.resolve("cache"))));
    Address address = Address.parse("crm");
    try (NamedLedgerInitializer init =
        new NamedLedgerInitializer(tidemark.names(), address, Optional.empty())) {
      init.init();
    }
    try (NamedLedgers.OpenLedger openLedger =
            new NamedLedgers(tidemark.names()).open(address, LedgerOptions.standard());
        Session session = openLedger.ledger().session(DeclaredSchema.parse(TYPES))) {
      for (int i = 0; i < COMMITS.size(); i++) {
        COMMITS.get(i).forEach(line -> ensure(session, line));
        assertThat(session.commit(i == 1 ? SECOND : Map.of())).isPresent();
      }
    }
    return tidemark;
  }

  private static void ensure(Session session, String line) {
    try {
      ObjectNode row = (ObjectNode) CanonicalJson.parse(line);
      String name = row.path("type_name").textValue();
      ObjectNode fields = (ObjectNode) row.path("fields");
      Session unused =
          row.path("type_kind").textValue().equals("entity")
              ? session.ensure(TypeId.entity(name), fields)
              : session.ensure(
                  TypeId.relation(name),
                  new Identity.RelationKey(
                      row.path("left_key").textValue(), row.path("right_key").textValue(), ""),
                  fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
