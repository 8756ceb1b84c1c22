// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

/** What is written: the same for us and for those who store text or bytes as well. */
final class SamplePayload {

  private static final String HASH = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenx";

  private SamplePayload() {}

  /** The id of a commit, about as long as those are. */
  static String id(long t) {
    return HASH + t;
  }

  /** The same in the payload of a head. */
  static String json(long t) {
    return "{\"id\":\"" + id(t) + "\",\"t\":" + t + "}";
  }
}
