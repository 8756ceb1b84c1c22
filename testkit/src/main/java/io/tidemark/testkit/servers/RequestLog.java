// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.util.ArrayList;
import java.util.List;

/**
 * The requests that reached one bucket, whether or not they met a fault, in the order of their
 * arrival. A request is here before it is answered.
 */
public final class RequestLog {

  private final List<RecordedRequest> requests = new ArrayList<>();

  RequestLog() {}

  synchronized void add(RecordedRequest request) {
    requests.add(request);
  }

  /** All of them. */
  public synchronized List<RecordedRequest> all() {
    return List.copyOf(requests);
  }

  /** How many there were. */
  public synchronized int count() {
    return requests.size();
  }

  /** How many there were of one kind. */
  public synchronized int count(S3Operation operation) {
    return (int) requests.stream().filter(r -> r.operation() == operation).count();
  }

  /** Forgets them, so that a test counts only what it does next. */
  public synchronized void clear() {
    requests.clear();
  }
}
