// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.client.HttpObjectBackend;
import io.tidemark.client.ServerConnection;
import io.tidemark.names.NameService;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.WriteResult;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import java.util.stream.Stream;

/** A server on a store that each test has anew; starting one costs more than most tests. */
public final class HttpObjectServer implements AutoCloseable {

  private final Replaceable place = new Replaceable();
  private final RunningServer server;

  public HttpObjectServer() {
    ObjectStore store = new ObjectStore(place, Retry.standard());
    this.server =
        new RunningServer(
            new ServerResources(NameService.open("memory:"), Optional.of(store), Optional.empty()));
  }

  /** From now on the server has its objects there. */
  void on(ObjectBackend store) {
    place.current = store;
  }

  /** From now on the server has no objects, in memory; what reaches them through it. */
  public ObjectBackend anew() {
    MemoryBackend memory = new MemoryBackend();
    on(memory);
    return new Behind(client(), memory);
  }

  /** Where the server is. */
  public URI address() {
    return server.server().address();
  }

  RunningServer server() {
    return server;
  }

  /** The server's objects. */
  HttpObjectBackend client() {
    return new HttpObjectBackend(ServerConnection.open(address().toString()));
  }

  @Override
  public void close() {
    server.close();
  }

  /**
   * What a suite does behind a ledger's back, such as damage to its history, the server refuses; it
   * is done behind the server's back as well.
   */
  private static final class Behind extends ForwardingBackend {
    private final MemoryBackend behind;

    Behind(ObjectBackend client, MemoryBackend behind) {
      super(client);
      this.behind = behind;
    }

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
  }

  private static final class Replaceable implements ObjectBackend {
    private volatile ObjectBackend current = new MemoryBackend();

    @Override
    public ReadResult<Content> get(String key, Optional<ETag> known) {
      return current.get(key, known);
    }

    @Override
    public Optional<Head> head(String key) {
      return current.head(key);
    }

    @Override
    public WriteResult put(String key, Body body, Condition condition, String attempt) {
      return current.put(key, body, condition, attempt);
    }

    @Override
    public DeleteResult delete(String key, Optional<ETag> expected) {
      return current.delete(key, expected);
    }

    @Override
    public Stream<Listing.Entry> list(Listing listing) {
      return current.list(listing);
    }

    @Override
    public Capabilities capabilities() {
      return current.capabilities();
    }

    @Override
    public boolean exists() {
      return current.exists();
    }

    @Override
    public Clock clock() {
      return current.clock();
    }

    @Override
    public void close() {
      // Each test closes its own.
    }
  }
}
