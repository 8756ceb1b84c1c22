// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.NameService;
import java.util.UUID;

/**
 * Check that names outside an object store, as in DynamoDB, can be written, and honour conditions.
 * Creates a record and removes it.
 */
final class NamesCheck {

  private static final String REMEDY =
      "check the table and the rights on it, which docs/dynamodb.md lists";

  private NamesCheck() {}

  static Diagnosis of(NameService names) {
    Address address = Address.parse("doctor-" + UUID.randomUUID());
    return Diagnosis.of(
        "writing names",
        REMEDY,
        () -> {
          names.create(address);
          try {
            names.create(address);
            return Diagnosis.failure(
                "writing names",
                "a record is made twice",
                "use another table: moves could be lost");
          } catch (AlreadyExistsException e) {
            return Diagnosis.ok("writing names", "works, and keeps to conditions");
          } finally {
            names.purge(address);
          }
        });
  }
}
