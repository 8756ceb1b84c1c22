// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.testkit.names.OperationHistory.Action;
import io.tidemark.testkit.names.OperationHistory.Operation;
import io.tidemark.testkit.names.OperationHistory.Register;
import io.tidemark.testkit.names.OperationHistory.Unknown;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What clients of another process do, told line by line: by {@link Reporter} over there, understood
 * by {@link #addTo} here. Of a change that was begun and had no answer when the lines end, because
 * its process was killed, the outcome is unknown.
 *
 * <p>Times need no conversion. On Linux {@link System#nanoTime} is the machine's monotonic clock,
 * the same one in every process.
 */
public final class RemoteHistory {

  /** The end of the process that is told about. */
  public static final class Reporter implements RandomClient.Journal {
    private final Consumer<String> tell;

    /**
     * A teller.
     *
     * @param tell passes on a line; when it returns, the line arrives even if this process is
     *     killed
     */
    public Reporter(Consumer<String> tell) {
      this.tell = tell;
    }

    @Override
    public void begin(int client, Register register, Action action, long invoked) {
      Operation open = new Operation(register, action, new Unknown(), invoked, 0);
      tell.accept(BEGIN + HistoryLine.write(client, open));
    }

    @Override
    public void end(int client, Operation operation) {
      tell.accept(END + HistoryLine.write(client, operation));
    }

    @Override
    public void withdraw(int client) {
      tell.accept(WITHDRAW + "{\"client\":" + client + "}");
    }
  }

  /** What a client has begun: one change at a time, but that may be of several registers. */
  private record PendingChange(int client, Register register) {}

  private static final char BEGIN = '?';
  private static final char END = '!';
  private static final char WITHDRAW = '-';

  private RemoteHistory() {}

  /**
   * Adds what one process has told to a history.
   *
   * @param lines everything it told
   * @return how many changes it had begun and got no answer to
   */
  public static int addTo(OperationHistory operationHistory, List<String> lines) {
    Map<PendingChange, Operation> open = new HashMap<>();
    for (String line : lines) {
      JsonNode told = HistoryLine.parse(line.substring(1));
      int client = HistoryLine.client(told);
      switch (line.charAt(0)) {
        case BEGIN -> {
          Operation begun = HistoryLine.operation(told);
          open.put(new PendingChange(client, begun.register()), begun);
        }
        case WITHDRAW -> open.keySet().removeIf(one -> one.client() == client);
        case END -> {
          Operation ended = HistoryLine.operation(told);
          open.remove(new PendingChange(client, ended.register()));
          operationHistory.add(ended);
        }
        default -> throw new IllegalArgumentException("not a line of a history: " + line);
      }
    }
    open.values().forEach(operationHistory::add);
    return open.size();
  }
}
