// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.health;

import io.tidemark.client.ServerLocation;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.WriteResult;
import io.tidemark.server.resources.ServerResources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probe that writes and deletes a small object to learn whether a store accepts writes. Names
 * outside of an object store aren't probed, since watchers see each write to them. Another server
 * probes its own store.
 */
public final class WriteProbe {

  private static final Logger LOG = LoggerFactory.getLogger(WriteProbe.class);

  /** Key shared by all servers, so that a store that keeps the object keeps only one. */
  private static final String KEY = "doctor/ready";

  private WriteProbe() {}

  /**
   * Requires the store to accept writes. A store that is unavailable only causes a warning, since
   * it may come back.
   *
   * @throws StoreAccessException if a write fails for another reason
   */
  public static void require(ServerResources serverResources) {
    try {
      write(serverResources);
    } catch (StoreUnavailableException e) {
      LOG.warn("not ready: {}", e.getMessage());
    } catch (TidemarkException e) {
      throw new StoreAccessException(
          ("the store takes no writes: %s; check --data and who may write there, or serve it with"
                  + " --read-only")
              .formatted(e.getMessage()),
          e);
    }
  }

  static void write(ServerResources serverResources) {
    serverResources
        .objects()
        .filter(store -> !ServerLocation.isServerUrl(store.capabilities().location()))
        .ifPresent(WriteProbe::write);
  }

  private static void write(ObjectStore store) {
    WriteResult unused = store.put(KEY, Body.of("ready"), Condition.none());
    try {
      store.delete(KEY);
    } catch (TidemarkException e) {
      LOG.debug("{} can't be deleted: {}", KEY, e.getMessage()); // harmless for serving
    }
  }
}
