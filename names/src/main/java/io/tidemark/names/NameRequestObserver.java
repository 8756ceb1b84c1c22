// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.RequestObserver;

/**
 * Observer of each request that a {@link NameBackend} makes of a service of its own, also those in
 * vain; an object store tells of its own requests.
 */
@FunctionalInterface
public interface NameRequestObserver {

  /**
   * Must be quick and not fail.
   *
   * @param operation the service's name of the operation, one of a few
   */
  void onRequest(String operation, RequestObserver.Result result, long nanos);
}
