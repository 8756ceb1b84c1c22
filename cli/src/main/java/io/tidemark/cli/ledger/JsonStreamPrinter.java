// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import java.io.PrintWriter;

/** Printer of results that are too long for memory. */
final class JsonStreamPrinter {

  private JsonStreamPrinter() {}

  /** Prints a document whose last member has the items, as they arrive. */
  static void print(ResultStream<?, ?> result, String list, PrintWriter out) {
    String head = WireJson.text(result.header());
    out.print(head.substring(0, head.length() - 1) + ",\"" + list + "\":[");
    String[] separator = {""};
    result.forEach(
        item -> {
          out.print(separator[0] + WireJson.text(item));
          separator[0] = ",";
        });
    out.println("]}");
  }
}
