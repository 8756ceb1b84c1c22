// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import java.util.List;

/**
 * Remotes: other stores, by name. A name is 1 to 64 letters, digits, {@code .}, {@code _} and
 * {@code -}.
 *
 * <p>A failure has the code {@code not-found} where there is no such remote. Instances may be used
 * by any number of threads.
 */
public interface RemoteService {

  /** Returns all remotes by name. */
  List<RemoteSummary> list();

  /** Returns a remote with all that was found there when it was last looked at. */
  default RemoteDetails get(String remote) {
    return get(RemoteRequest.all(remote));
  }

  /** Returns a remote with a part of what was found there when it was last looked at. */
  RemoteDetails get(RemoteRequest request);

  /**
   * Names another store, without any request to it. Repeating it has no effect.
   *
   * @param location path, URL of a bucket or of a server, without credentials; a path is one of the
   *     machine that does the work
   * @throws io.tidemark.objects.TidemarkException with the code {@code already-exists} if the name
   *     is that of another store
   */
  RemoteLocation add(String remote, String location);

  /** Forgets a remote, what was found there, and which addresses follow it. */
  RemovedRemote remove(String remote);

  /** Looks up the names on a remote and their heads, and remembers them. */
  default FetchResult fetch(String remote) {
    return fetch(RemoteRequest.all(remote));
  }

  /** Looks up a part of the names on a remote and their heads, and remembers them. */
  FetchResult fetch(RemoteRequest request);

  /** Returns the service that copies ledgers between this store and remotes. */
  RemoteTransfers transfers();
}
