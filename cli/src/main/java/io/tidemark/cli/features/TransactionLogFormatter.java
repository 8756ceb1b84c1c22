// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.api.features.TransactionSignal;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.terminal.TerminalEscaping;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Text format of the transaction log. */
final class TransactionLogFormatter {

  private TransactionLogFormatter() {}

  static String table(List<FeatureTransaction> transactions) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("NUMBER", "TXN", "TIME", "AUTHOR", "APP", "WHAT"));
    transactions.forEach(transaction -> lines.add(cells(transaction)));
    return Table.aligned(lines);
  }

  /** Returns a transaction on one line. */
  static String line(FeatureTransaction transaction) {
    return TerminalEscaping.escapeLine(String.join("  ", cells(transaction)));
  }

  private static List<String> cells(FeatureTransaction transaction) {
    return List.of(
        transaction.seqNumber().map(String::valueOf).orElse("-"),
        Long.toString(transaction.txn()),
        transaction.ts().toString(),
        transaction.author().orElse("-"),
        transaction.appId(),
        transaction.signals().stream()
            .map(TransactionLogFormatter::words)
            .collect(Collectors.joining(", ")));
  }

  private static String words(TransactionSignal signal) {
    if (signal instanceof TransactionSignal.Message message) {
      return "message " + message.id() + message.msgText().map(text -> "=" + text).orElse("");
    }
    boolean ofFeatures = signal instanceof TransactionSignal.FeaturesChanged;
    return (ofFeatures ? "features of " : "collection ") + signal.id();
  }
}
