// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.client.Connection;
import io.tidemark.client.HttpObjectBackend;
import io.tidemark.names.NameService;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.WriteResult;
import io.tidemark.server.Holdings;
import io.tidemark.server.RunningServer;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.util.Optional;

/** Objects in memory, reached through a server; closed with it. */
public final class OverHttp extends ForwardingBackend {

  private final MemoryBackend behind;
  private final RunningServer server;

  private OverHttp(MemoryBackend behind, RunningServer server) {
    super(client(server));
    this.behind = behind;
    this.server = server;
  }

  public static OverHttp open() {
    MemoryBackend memory = new MemoryBackend();
    return new OverHttp(memory, serving(memory));
  }

  /** A server on a store. */
  static RunningServer serving(ObjectBackend backend) {
    ObjectStore store = new ObjectStore(backend, Retry.standard());
    return new RunningServer(
        new Holdings(NameService.open("memory:"), Optional.of(store), Optional.empty()));
  }

  /** The objects of a server. */
  static HttpObjectBackend client(RunningServer server) {
    return new HttpObjectBackend(Connection.open(server.server().address().toString()));
  }

  /**
   * What a suite does behind a ledger's back, such as damage to its history, the server refuses; it
   * is done behind the server's back as well.
   */
  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    try {
      return super.put(key, body, condition, attempt);
    } catch (StoreAccessException e) {
      if (condition != Condition.none()) {
        throw e;
      }
      return behind.put(key, body, condition, attempt);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
