// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.CommitLog;
import io.tidemark.ledger.Ledger;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Follower of the commits of a ledger, which handles each in order and at least once, and stores
 * its position. The number and the manifest path together identify a commit. When another commit is
 * found under the number, the ledger or the branch was created anew, and the follower starts from
 * its beginning.
 *
 * <p>Costs one check of the head while nothing happens.
 */
final class CommitFollower {

  private static final int BATCH = 256;
  private static final String COMMIT = "commit_id";
  private static final String PATH = "manifest_path";

  /**
   * Commit up to which everything is handled; without a path at the start of a ledger or branch.
   */
  private record Position(long commitId, Optional<String> path) {

    static Position of(Commit commit) {
      return new Position(commit.id(), Optional.of(commit.path()));
    }

    /** Parses a position; empty when the document holds none. */
    static Optional<Position> parse(ObjectNode json) {
      JsonNode id = json.path(COMMIT);
      JsonNode path = json.path(PATH);
      return id.isIntegralNumber() && id.canConvertToLong() && (path.isTextual() || path.isNull())
          ? Optional.of(new Position(id.longValue(), Optional.ofNullable(path.textValue())))
          : Optional.empty();
    }

    ObjectNode json() {
      return CanonicalJson.object().put(COMMIT, commitId).put(PATH, path.orElse(null));
    }
  }

  private final PositionStore position;
  private final CommitLog log;
  private final StartPosition startPosition;
  private Optional<Position> known = Optional.empty();

  CommitFollower(PositionStore position, Ledger ledger, StartPosition startPosition) {
    this.position = position;
    this.log = ledger.log();
    this.startPosition = startPosition;
  }

  /**
   * Advances to the newest commit.
   *
   * @param each function that handles a commit and returns the number of its events
   * @return total number of events
   */
  synchronized int run(ToIntFunction<Commit> each) {
    try {
      return go(each);
    } catch (RuntimeException | Error e) {
      known = Optional.empty(); // another process may store one meanwhile, or have done so
      throw e;
    }
  }

  private int go(ToIntFunction<Commit> each) {
    int events = 0;
    Position place = place();
    while (true) {
      Optional<List<Commit>> next = after(place);
      if (next.isEmpty()) {
        place = beginning();
      } else if (next.get().isEmpty()) {
        return events;
      } else {
        events += next.get().stream().mapToInt(each).sum();
        place = save(Position.of(next.get().get(next.get().size() - 1)));
      }
    }
  }

  /** Returns the next commits; empty when the position isn't one of this ledger. */
  private Optional<List<Commit>> after(Position place) {
    if (place.path().isEmpty()) {
      return Optional.of(log.after(place.commitId(), BATCH));
    }
    // In one check of the head, so that nothing changes between the check and the rest.
    List<Commit> commits = log.after(place.commitId() - 1, BATCH + 1);
    return !commits.isEmpty() && Position.of(commits.get(0)).equals(place)
        ? Optional.of(commits.subList(1, commits.size()))
        : Optional.empty();
  }

  private Position place() {
    if (known.isEmpty()) {
      Optional<ObjectNode> found = position.read();
      known =
          found.isEmpty() && startPosition == StartPosition.NEWEST
              ? Optional.of(save(newest()))
              : Optional.of(found.flatMap(Position::parse).orElseGet(this::beginning));
    }
    return known.get();
  }

  private Position beginning() {
    return new Position(log.forkCommitId(), Optional.empty());
  }

  private Position newest() {
    return log.newestFirst(0).findFirst().map(Position::of).orElseGet(this::beginning);
  }

  /** Stores a position; returns that of another process if it is further on. */
  private Position save(Position place) {
    Position next =
        position
            .write(
                place.json(),
                theirs -> Position.parse(theirs).filter(p -> follows(p, place)).isPresent())
            .flatMap(Position::parse)
            .orElse(place);
    known = Optional.of(next);
    return next;
  }

  private boolean follows(Position theirs, Position place) {
    return theirs.commitId() >= place.commitId() && after(theirs).isPresent();
  }
}
