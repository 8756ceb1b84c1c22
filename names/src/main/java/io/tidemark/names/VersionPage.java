// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.List;
import java.util.Optional;

/**
 * Page of a listing of stored versions without contents. A caller that remembers the versions finds
 * out with one request a page which records to read again.
 *
 * @param seen the versions found, in no particular order
 * @param next token of the next page; empty at the end
 */
public record VersionPage(List<VersionEntry> seen, Optional<String> next) {

  public VersionPage {
    seen = List.copyOf(seen);
  }

  /**
   * A part of a record, as it is stored.
   *
   * @param address whose; perhaps of a record that is gone and left something over
   * @param part which of its parts, in words of the backend's
   * @param version another one after each change of that part
   */
  public record VersionEntry(Address address, String part, String version) {}
}
