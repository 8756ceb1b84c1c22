// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

final class NameLocations {
  private NameLocations() {}

  static NameBackend open(String location) {
    return new MemoryNameBackend();
  }
}
