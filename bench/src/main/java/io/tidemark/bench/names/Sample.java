// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

/** What is written: the same for us and for those who store text or bytes as well. */
final class Sample {

  /** As long as the id of a commit, which is a hash. */
  private static final String ID = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenx";

  private Sample() {}

  /** The payload of a head. */
  static String head(long t) {
    return "{\"id\":\"" + ID + t + "\",\"t\":" + t + "}";
  }
}
