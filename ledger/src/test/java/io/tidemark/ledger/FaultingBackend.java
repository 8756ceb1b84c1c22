// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import io.tidemark.testkit.objects.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Writes down what is asked of a store, and from a chosen request on lets nothing through any more:
 * nothing at all, as when the process has died, or nothing like that request, as when its object
 * can't be reached.
 */
final class FaultingBackend extends ForwardingBackend {

  /** What becomes of the chosen request and of those after it. */
  enum FaultMode {
    DIES_BEFORE,
    DIES_AFTER,
    /** The chosen request fails as often as it is made, until {@link #heal()}. */
    UNREACHABLE
  }

  private final List<RequestKey> requests = new ArrayList<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private Optional<RequestKey> chosen = Optional.empty();
  private FaultMode faultMode = FaultMode.DIES_BEFORE;
  private boolean recording;
  private boolean met;
  private boolean healed;

  FaultingBackend(ObjectBackend wrapped) {
    super(wrapped);
  }

  /** Starts to write down. */
  synchronized void record() {
    recording = true;
  }

  /** Starts to wait for the request. */
  synchronized void choose(RequestKey request, FaultMode how) {
    recording = true;
    chosen = Optional.of(request);
    faultMode = how;
  }

  /** Dies at once. */
  synchronized void die() {
    faultMode = FaultMode.DIES_BEFORE;
    met = true;
  }

  synchronized void heal() {
    healed = true;
  }

  synchronized boolean isMet() {
    return met;
  }

  synchronized List<RequestKey> requests() {
    return List.copyOf(requests);
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    return pass(Operation.GET, key, () -> super.get(key, known));
  }

  @Override
  public Optional<Head> head(String key) {
    return pass(Operation.HEAD, key, () -> super.head(key));
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    return pass(Operation.PUT, key, () -> super.put(key, body, condition, attempt));
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    return pass(Operation.DELETE, key, () -> super.delete(key, expected));
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    return pass(Operation.LIST, listing.prefix(), () -> super.list(listing));
  }

  private <T> T pass(Operation operation, String key, Supplier<T> send) {
    boolean isChosen = note(operation, RequestKey.withoutAttempt(key));
    if (isChosen && faultMode == FaultMode.DIES_AFTER) {
      T unused = send.get();
    }
    refuse(operation, key);
    return send.get();
  }

  /** Whether this is the chosen request. */
  private synchronized boolean note(Operation operation, String key) {
    if (!recording || met) {
      return false;
    }
    int nth = counts.merge(operation + key, 1, Integer::sum);
    RequestKey request = new RequestKey(operation, key, nth);
    requests.add(request);
    met = chosen.isPresent() && chosen.get().equals(request);
    return met;
  }

  private synchronized void refuse(Operation operation, String key) {
    if (!met || healed) {
      return;
    }
    if (faultMode != FaultMode.UNREACHABLE) {
      throw new StoreFailureException("injected: the process is dead");
    }
    RequestKey request = chosen.orElseThrow();
    if (request.operation() == operation && request.key().equals(RequestKey.withoutAttempt(key))) {
      throw new StoreUnavailableException("injected: " + key + " can't be reached");
    }
  }
}
