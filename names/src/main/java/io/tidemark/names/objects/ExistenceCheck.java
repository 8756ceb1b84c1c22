// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;

/** Check whether a record has a main document, made at most once in an operation. */
final class ExistenceCheck {

  private final RecordReader reader;
  private final Address address;
  private boolean confirmed;

  ExistenceCheck(RecordReader reader, Address address) {
    this.reader = reader;
    this.address = address;
  }

  Address address() {
    return address;
  }

  boolean isConfirmed() {
    if (!confirmed) {
      confirmed = reader.main(address).isPresent();
    }
    return confirmed;
  }
}
