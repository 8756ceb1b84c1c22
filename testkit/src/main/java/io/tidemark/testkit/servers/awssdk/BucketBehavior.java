// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers.awssdk;

import java.time.Clock;

/** How one bucket behaves; asked anew for each request, so that a test may change its mind. */
public interface BucketBehavior {

  /** Whether If-Match and If-None-Match of writes are judged, or ignored. */
  boolean judgesWrites();

  /** Whether If-Match of deletes is judged, or ignored. */
  boolean judgesDeletes();

  /** The most keys and groups one page of a listing holds, whatever the client asked for. */
  int pageLimit();

  /** What the times of objects are taken from. */
  Clock clock();
}
