// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/**
 * The faults that are to befall the requests of one bucket. A request meets at most one: the first
 * queued one that is meant for it, else perhaps a random one.
 */
public final class BucketFaults {

  private record Queued(Predicate<RecordedRequest> which, ServerFault fault) {}

  /**
   * Faults that come by chance. The same requests in the same order meet the same ones.
   *
   * @param seed of the choice; print it with the failure of a test
   * @param probability that a request meets one, 0 to 1
   * @param choice which it may be
   */
  public record Chance(long seed, double probability, List<ServerFault> choice) {
    public Chance {
      choice = List.copyOf(choice);
      if (choice.isEmpty() || probability < 0 || probability > 1) {
        throw new IllegalArgumentException(
            "chance needs a fault to choose and a probability of 0 to 1, not " + probability);
      }
    }
  }

  private final List<Queued> queue = new ArrayList<>();
  private Predicate<RecordedRequest> mayFail = request -> false;
  private Optional<Chance> chance = Optional.empty();
  private Random random = new Random(0);

  BucketFaults() {}

  /** The next request of this kind meets the fault; called again, the one after it too. */
  public void next(S3Operation operation, ServerFault serverFault) {
    next(request -> request.operation() == operation, serverFault);
  }

  /** The next request that the predicate accepts meets the fault. */
  public synchronized void next(Predicate<RecordedRequest> which, ServerFault serverFault) {
    queue.add(new Queued(which, serverFault));
  }

  /** From now on requests that the predicate accepts may meet a fault. */
  public synchronized void random(Predicate<RecordedRequest> which, Chance odds) {
    mayFail = which;
    chance = Optional.of(odds);
    random = new Random(odds.seed());
  }

  /** No more faults, queued or random. */
  public synchronized void clear() {
    queue.clear();
    chance = Optional.empty();
  }

  /** How many queued faults no request has met yet. */
  public synchronized int pending() {
    return queue.size();
  }

  synchronized Optional<ServerFault> take(RecordedRequest request) {
    for (Iterator<Queued> it = queue.iterator(); it.hasNext(); ) {
      Queued queued = it.next();
      if (queued.which().test(request)) {
        it.remove();
        return Optional.of(queued.fault());
      }
    }
    return chance.filter(odds -> mayFail.test(request)).flatMap(this::roll);
  }

  private Optional<ServerFault> roll(Chance odds) {
    if (random.nextDouble() >= odds.probability()) {
      return Optional.empty();
    }
    return Optional.of(odds.choice().get(random.nextInt(odds.choice().size())));
  }
}
