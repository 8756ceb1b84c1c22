// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

/**
 * Something that goes wrong with one request. Made by the methods here, given to {@link
 * FaultyBackend}.
 */
public abstract sealed class BackendFault {

  private BackendFault() {}

  /** Lets the fault happen to the call. */
  abstract <T> T apply(FaultableCall<T> call);

  /** Whether such a fault can happen to such a request. */
  boolean appliesTo(Operation operation) {
    return true;
  }

  /** It is carried out and the answer gets lost. */
  public static BackendFault loseAnswer() {
    return new LoseAnswer();
  }

  /** It gets lost before it is carried out, and nobody can tell. */
  public static BackendFault loseRequest() {
    return new LoseRequest();
  }

  /**
   * A write seems lost and is carried out later, just before the so-manieth request after it, or on
   * {@link FaultyBackend#deliverLateWrites()}.
   *
   * @param requestsLater 1 for the very next request
   */
  public static BackendFault arriveLate(int requestsLater) {
    return new Late(requestsLater);
  }

  /** It is turned away for the moment, as with 503 or 429; nothing is carried out. */
  public static BackendFault unavailable() {
    return new Unavailable("503, slow down");
  }

  /** It meets another request to the same key, as with 409; nothing is carried out. */
  public static BackendFault conflict() {
    return new Unavailable("409, a conflicting request is under way");
  }

  /**
   * A conditional write is refused although its condition holds, and isn't carried out: a store may
   * do so when a rival's write was under way that failed in the end. The loser looks again.
   */
  public static BackendFault refuse() {
    return new Refuse();
  }

  /**
   * A write is carried out and then refused, as by a store that got the same request twice. A
   * backend must not let this through (guarantee 4 of {@link io.tidemark.objects.ObjectBackend});
   * so it is never drawn at random, and is here for those who look for it.
   */
  public static BackendFault refuseOwnSuccess() {
    return new RefuseOwnSuccess();
  }

  /** The answer to a read or a listing ends after so many bytes or entries with an error. */
  public static BackendFault breakOff(int after) {
    return new BreakOff(after);
  }

  /**
   * Something else happens just before it is carried out, such as a rival's write; then the next
   * matching fault may strike. For interleavings that need no second thread.
   */
  public static BackendFault runBefore(Runnable event) {
    return new Meanwhile(event);
  }

  /** It waits at the gate before it is carried out; then the next matching fault may strike. */
  public static BackendFault hold(RequestLatch requestLatch) {
    return new Hold(requestLatch);
  }

  /** It is carried out, or meets the next matching fault, and its answer waits at the gate. */
  public static BackendFault holdAnswer(RequestLatch requestLatch) {
    return new HoldAnswer(requestLatch);
  }

  private static final class LoseAnswer extends BackendFault {
    @Override
    <T> T apply(FaultableCall<T> call) {
      if (call.operation().changes()) {
        call.send();
      }
      throw call.lost();
    }
  }

  private static final class LoseRequest extends BackendFault {
    @Override
    <T> T apply(FaultableCall<T> call) {
      throw call.lost();
    }
  }

  private static final class Late extends BackendFault {
    private final int requestsLater;

    Late(int requestsLater) {
      this.requestsLater = requestsLater;
    }

    @Override
    <T> T apply(FaultableCall<T> call) {
      call.sendLate(requestsLater);
      throw call.lost();
    }

    @Override
    boolean appliesTo(Operation operation) {
      return operation.changes();
    }
  }

  private static final class Unavailable extends BackendFault {
    private final String answer;

    Unavailable(String answer) {
      this.answer = answer;
    }

    @Override
    <T> T apply(FaultableCall<T> call) {
      throw call.unavailable(answer);
    }
  }

  private static final class Refuse extends BackendFault {
    @Override
    <T> T apply(FaultableCall<T> call) {
      return call.refuse();
    }

    @Override
    boolean appliesTo(Operation operation) {
      return operation.changes();
    }
  }

  private static final class RefuseOwnSuccess extends BackendFault {
    @Override
    <T> T apply(FaultableCall<T> call) {
      call.send();
      return call.refuse();
    }

    @Override
    boolean appliesTo(Operation operation) {
      return operation.changes();
    }
  }

  private static final class BreakOff extends BackendFault {
    private final int after;

    BreakOff(int after) {
      this.after = after;
    }

    @Override
    <T> T apply(FaultableCall<T> call) {
      return call.sendAndBreakOff(after);
    }

    @Override
    boolean appliesTo(Operation operation) {
      return operation == Operation.GET || operation == Operation.LIST;
    }
  }

  private static final class Meanwhile extends BackendFault {
    private final Runnable event;

    Meanwhile(Runnable event) {
      this.event = event;
    }

    @Override
    <T> T apply(FaultableCall<T> call) {
      event.run();
      return call.proceed();
    }
  }

  private static final class Hold extends BackendFault {
    private final RequestLatch requestLatch;

    Hold(RequestLatch requestLatch) {
      this.requestLatch = requestLatch;
    }

    @Override
    <T> T apply(FaultableCall<T> call) {
      requestLatch.awaitOpen();
      return call.proceed();
    }
  }

  private static final class HoldAnswer extends BackendFault {
    private final RequestLatch requestLatch;

    HoldAnswer(RequestLatch requestLatch) {
      this.requestLatch = requestLatch;
    }

    @Override
    <T> T apply(FaultableCall<T> call) {
      try {
        return call.proceed();
      } finally {
        requestLatch.awaitOpen();
      }
    }
  }
}
