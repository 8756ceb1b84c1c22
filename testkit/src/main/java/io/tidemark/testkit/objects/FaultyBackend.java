// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A backend whose requests fail as those to a far server do: by script, at random, or both.
 *
 * <p>Scripted faults wait in a queue. Each request meets the first one that is meant for it, which
 * is used up by that; when none is, one that stands for always, or a random one, may strike:
 *
 * <pre>{@code
 * FaultyBackend faulty = new FaultyBackend(new MemoryBackend());
 * faulty.next(Operation.PUT, Fault.loseAnswer());
 * faulty.next(Operation.HEAD, Fault.unavailable());
 * }</pre>
 *
 * <p>Except for {@link BackendFault#refuseOwnSuccess()} it keeps the guarantees of {@link
 * ObjectBackend}. Since it makes answers get lost, it also makes attempts recognisable (guarantee
 * 5) over a backend that doesn't keep them: it remembers which attempt wrote which version.
 */
public final class FaultyBackend extends ForwardingBackend {

  private record Rule(BiPredicate<Operation, String> matches, BackendFault fault) {}

  private record Version(String key, ETag etag) {}

  /** A write that was sent and hasn't arrived. */
  private static final class LateWrite {
    private final Runnable write;
    private int requestsLeft;

    LateWrite(Runnable write, int requestsLeft) {
      this.write = write;
      this.requestsLeft = requestsLeft;
    }

    boolean isDue() {
      requestsLeft--;
      return requestsLeft <= 0;
    }
  }

  private final ObjectBackend wrapped;
  private final Optional<RandomGenerator> random;
  private final FaultMix mix;
  private final List<Rule> script = new ArrayList<>();
  private final List<Rule> standing = new ArrayList<>();
  private final List<LateWrite> late = new ArrayList<>();
  private final Map<Version, String> attempts = new ConcurrentHashMap<>();

  /** Faults by script only. */
  public FaultyBackend(ObjectBackend wrapped) {
    this(wrapped, Optional.empty(), FaultMix.none());
  }

  /** Faults at random, and by script. */
  public FaultyBackend(ObjectBackend wrapped, RandomGenerator random, FaultMix mix) {
    this(wrapped, Optional.of(random), mix);
  }

  private FaultyBackend(ObjectBackend wrapped, Optional<RandomGenerator> random, FaultMix mix) {
    super(wrapped);
    this.wrapped = wrapped;
    this.random = random;
    this.mix = mix;
  }

  /** Lets a fault happen to the next request of this kind. */
  public FaultyBackend next(Operation operation, BackendFault backendFault) {
    return next((o, key) -> o == operation, backendFault);
  }

  /** Lets a fault happen to the next request of this kind to this key. */
  public FaultyBackend next(Operation operation, String key, BackendFault backendFault) {
    return next((o, k) -> o == operation && k.equals(key), backendFault);
  }

  /**
   * Lets a fault happen to the next request that matches.
   *
   * @param matches gets the operation and the key, which for a listing is its prefix
   */
  public synchronized FaultyBackend next(
      BiPredicate<Operation, String> matches, BackendFault backendFault) {
    script.add(
        new Rule((o, key) -> backendFault.appliesTo(o) && matches.test(o, key), backendFault));
    return this;
  }

  /** Lets a fault happen to every request of this kind that meets no other, until it is healed. */
  public synchronized FaultyBackend always(Operation operation, BackendFault backendFault) {
    standing.add(new Rule((o, key) -> o == operation && backendFault.appliesTo(o), backendFault));
    return this;
  }

  /** Forgets the faults of the script and those that happen always. */
  public synchronized FaultyBackend clearFaults() {
    script.clear();
    standing.clear();
    return this;
  }

  /** How many scripted faults have met no request yet. A test that ends with some is suspect. */
  public synchronized int pendingFaults() {
    return script.size();
  }

  /** Lets all writes arrive that are {@linkplain BackendFault#arriveLate late}. */
  public void deliverLateWrites() {
    List<LateWrite> due;
    synchronized (this) {
      due = List.copyOf(late);
      late.clear();
    }
    due.forEach(write -> write.write.run());
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    return applyFaults(
        new Request<ReadResult<Content>>(Operation.GET, key) {
          @Override
          ReadResult<Content> send() {
            return wrapped.get(key, known);
          }

          @Override
          ReadResult<Content> sendAndBreakOff(int after) {
            ReadResult<Content> result = send();
            return result instanceof ReadResult.Found<Content> found
                ? new ReadResult.Found<>(found.etag(), broken(found.content(), after))
                : result;
          }
        });
  }

  @Override
  public Optional<Head> head(String key) {
    return applyFaults(
        new Request<Optional<Head>>(Operation.HEAD, key) {
          @Override
          Optional<Head> send() {
            return wrapped.head(key).map(head -> withAttempt(key, head));
          }
        });
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    return applyFaults(
        new Request<WriteResult>(Operation.PUT, key) {
          @Override
          WriteResult send() {
            return putAndRemember(key, body, condition, attempt);
          }

          @Override
          WriteResult refuse() {
            return condition.equals(Condition.none()) ? send() : currentVersion(key);
          }

          @Override
          void sendLate(int requestsLater) {
            Body copy = copyOf(body); // the caller may change the bytes once the call has returned
            addLate(() -> putAndRemember(key, copy, condition, attempt), requestsLater);
          }
        });
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    return applyFaults(
        new Request<DeleteResult>(Operation.DELETE, key) {
          @Override
          DeleteResult send() {
            return wrapped.delete(key, expected);
          }

          @Override
          DeleteResult refuse() {
            return expected.isEmpty() ? send() : currentVersion(key);
          }

          @Override
          void sendLate(int requestsLater) {
            addLate(() -> wrapped.delete(key, expected), requestsLater);
          }
        });
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    return applyFaults(
        new Request<Stream<Listing.Entry>>(Operation.LIST, listing.prefix()) {
          @Override
          Stream<Listing.Entry> send() {
            return wrapped.list(listing);
          }

          @Override
          Stream<Listing.Entry> sendAndBreakOff(int after) {
            Stream<Listing.Entry> entries = send();
            Iterator<Listing.Entry> iterator = entries.iterator();
            return Stream.iterate(0, i -> i < after ? iterator.hasNext() : fail(), i -> i + 1)
                .map(i -> iterator.next())
                .onClose(entries::close);
          }

          private boolean fail() {
            throw unavailable("a listing that broke off");
          }
        });
  }

  private abstract class Request<T> extends FaultableCall<T> {
    Request(Operation operation, String key) {
      super(operation, key);
    }

    @Override
    T proceed() {
      Optional<BackendFault> fault = nextFault(operation(), key());
      return fault.isPresent() ? fault.orElseThrow().apply(this) : send();
    }
  }

  private <T> T applyFaults(Request<T> request) {
    dueNow().forEach(write -> write.write.run());
    return request.proceed();
  }

  private synchronized List<LateWrite> dueNow() {
    List<LateWrite> due = late.stream().filter(LateWrite::isDue).toList();
    late.removeAll(due);
    return due;
  }

  private synchronized void addLate(Runnable write, int requestsLater) {
    late.add(new LateWrite(write, requestsLater));
  }

  private synchronized Optional<BackendFault> nextFault(Operation operation, String key) {
    for (Iterator<Rule> rules = script.iterator(); rules.hasNext(); ) {
      Rule rule = rules.next();
      if (rule.matches().test(operation, key)) {
        rules.remove();
        return Optional.of(rule.fault());
      }
    }
    return standing.stream()
        .filter(rule -> rule.matches().test(operation, key))
        .map(Rule::fault)
        .findFirst()
        .or(() -> drawFault(operation));
  }

  private Optional<BackendFault> drawFault(Operation operation) {
    return random.flatMap(generator -> mix.draw(generator, operation));
  }

  private WriteResult putAndRemember(String key, Body body, Condition condition, String attempt) {
    WriteResult result = wrapped.put(key, body, condition, attempt);
    if (result instanceof WriteResult.Written written) {
      attempts.put(new Version(key, written.etag()), attempt);
    }
    return result;
  }

  private Head withAttempt(String key, Head head) {
    Optional<String> attempt =
        head.attempt().or(() -> Optional.ofNullable(attempts.get(new Version(key, head.etag()))));
    return new Head(head.etag(), head.size(), head.lastModified(), attempt);
  }

  private PreconditionFailed currentVersion(String key) {
    return new PreconditionFailed(wrapped.head(key).map(Head::etag));
  }

  private static Body copyOf(Body body) {
    try (InputStream stream = body.open()) {
      return Body.of(stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Content broken(Content content, int after) {
    return new Content(content.size(), new BreakingStream(content.stream(), after));
  }
}
