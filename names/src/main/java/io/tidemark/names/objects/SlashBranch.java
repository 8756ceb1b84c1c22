// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.NameRecord;
import java.util.Optional;

/**
 * Other programs write a {@code /} in a branch as it is, so that {@code mydb:feature/auth} lies
 * where {@code mydb/feature:auth} would. Which of the two it is only the document says.
 */
final class SlashBranch {

  private SlashBranch() {}

  /** Returns the address that a document is meant for; empty when it is the one of its path. */
  static Optional<Address> intendedAddress(String key, Address path, ObjectNode json) {
    ObjectNode node = InteropKeyNormalizer.normalise(key, json);
    String ledger = node.path("f:ledger").path("@id").asText("");
    String name = ledger.isEmpty() ? node.path("f:name").asText("") : ledger;
    String branch = node.path("f:branch").asText("");
    boolean sameKey = (name + "/" + branch).equals(path.name() + "/" + path.branch());
    if (!sameKey || name.equals(path.name())) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Address(name, branch));
    } catch (InvalidAddressException e) {
      return Optional.empty();
    }
  }

  /** Returns a record, whole, under another address. */
  static MainDocument relocated(Address address, LoadedRecord loadedRecord) {
    NameRecord there = loadedRecord.record().withAddress(address);
    MainDocument main = loadedRecord.main();
    return MainDocument.first(main.document(), there, main.layout(), "").withOthers(main.others());
  }
}
