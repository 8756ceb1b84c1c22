// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Ref;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.remotes.Fetched;
import io.tidemark.remotes.Remote;
import io.tidemark.remotes.RemoteName;
import io.tidemark.remotes.Remotes;
import io.tidemark.remotes.Remotes.Other;
import io.tidemark.remotes.Span;
import io.tidemark.remotes.Tracked;
import io.tidemark.remotes.UnknownRemoteException;
import io.tidemark.remotes.Upstream;
import io.tidemark.remotes.transfer.Outcome;
import java.util.List;
import java.util.Optional;

/** Remotes, and what is done with them, in JSON. */
public final class RemotesView {

  private final Remotes remotes;

  public RemotesView(Remotes remotes) {
    this.remotes = remotes;
  }

  /** All remotes, by name, each with what follows it. */
  public ArrayNode list() {
    List<Upstream> upstreams = remotes.upstreams();
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    remotes.list().forEach(remote -> all.add(remote(remote, upstreams)));
    return all;
  }

  /** A remote, with what follows it and what was last seen there. */
  public ObjectNode get(RemoteName name) {
    return get(name, Span.all()).json();
  }

  /** The same with some of what was seen there; what follows it is with the first. */
  public Page get(RemoteName name, Span span) {
    boolean first = span.after().isEmpty();
    ObjectNode json = remote(remotes.get(name), first ? remotes.upstreams() : List.of());
    ArrayNode names = json.putArray("tracked");
    Remotes.Seen seen = remotes.tracked(name, span);
    seen.found().forEach(found -> names.add(tracked(found)));
    return new Page(json, seen.last());
  }

  /**
   * Some of what there is.
   *
   * @param last the address behind which there is more, if there is
   */
  public record Page(ObjectNode json, Optional<Address> last) {}

  public ObjectNode add(RemoteName name, String location) {
    return remote(remotes.add(name, location));
  }

  public ObjectNode remove(RemoteName name) {
    if (!remotes.remove(name)) {
      throw new UnknownRemoteException(name);
    }
    return JsonNodeFactory.instance.objectNode().put("removed", name.text());
  }

  public ObjectNode fetch(RemoteName name) {
    return fetch(name, Span.all()).json();
  }

  /** The same with some of the names there. */
  public Page fetch(RemoteName name, Span span) {
    Fetched fetched = remotes.fetch(name, span);
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("remote", name.text());
    addresses(json.putArray("updated"), fetched.updated());
    addresses(json.putArray("unchanged"), fetched.unchanged());
    addresses(json.putArray("pruned"), fetched.pruned());
    return new Page(json, fetched.last());
  }

  private static void addresses(ArrayNode array, List<Address> addresses) {
    addresses.forEach(address -> array.add(address.toString()));
  }

  /**
   * What is to be pushed or pulled.
   *
   * @param other from or to where
   * @param follow whether that is to be the upstream from now on
   */
  public record Move(Address local, Other other, boolean follow) {}

  public ObjectNode push(Move move) {
    Optional<Upstream> pair = remotes.meant(move.local(), move.other());
    return moved(move, pair, remotes.push(move.local(), move.other()));
  }

  public ObjectNode pull(Move move) {
    Optional<Upstream> pair = remotes.meant(move.local(), move.other());
    return moved(move, pair, remotes.pull(move.local(), move.other()));
  }

  private ObjectNode moved(Move move, Optional<Upstream> pair, Outcome outcome) {
    boolean together =
        outcome instanceof Outcome.Created
            || outcome instanceof Outcome.FastForwarded
            || outcome instanceof Outcome.UpToDate;
    if (move.follow() && together) {
      pair.ifPresent(remotes::follow);
    }
    return outcome(pair, outcome);
  }

  /** Makes a ledger here that is at a location, which becomes a remote. */
  public ObjectNode cloneLedger(Upstream pair, String location) {
    Outcome outcome = remotes.cloneLedger(pair.remote(), location, pair.there(), pair.local());
    return outcome(Optional.of(pair), outcome);
  }

  private static ObjectNode remote(Remote remote) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", remote.name().text())
        .put("location", remote.location());
  }

  private static ObjectNode remote(Remote remote, List<Upstream> upstreams) {
    ObjectNode json = remote(remote);
    ArrayNode followers = json.putArray("upstreams");
    upstreams.stream()
        .filter(each -> each.remote().equals(remote.name()))
        .forEach(
            each ->
                followers
                    .addObject()
                    .put("local", each.local().toString())
                    .put("there", each.there().toString()));
    return json;
  }

  private static ObjectNode tracked(Tracked found) {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("address", found.address().toString());
    ref(json, "commit_head", found.commit());
    ref(json, "index_head", found.index());
    return json.put("retracted", found.retracted())
        .put("last_fetched", UtcTimestamp.format(found.fetched()));
  }

  private static ObjectNode outcome(Optional<Upstream> pair, Outcome outcome) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    pair.ifPresent(
        known ->
            json.put("local", known.local().toString())
                .put("remote", known.remote().text())
                .put("there", known.there().toString()));
    if (outcome instanceof Outcome.UpToDate found) {
      both(json.put("outcome", "up_to_date"), found.local(), found.remote());
    } else if (outcome instanceof Outcome.FastForwarded moved) {
      ref(json.put("outcome", "fast_forwarded"), "from", moved.from());
      copied(json, moved.to(), moved.commits(), moved.bytes());
    } else if (outcome instanceof Outcome.Created made) {
      copied(json.put("outcome", "created"), made.to(), made.commits(), made.bytes());
    } else if (outcome instanceof Outcome.Diverged diverged) {
      both(json.put("outcome", "diverged"), diverged.local(), diverged.remote());
      ref(json, "common", diverged.common());
    } else if (outcome instanceof Outcome.Rejected rejected) {
      both(json.put("outcome", "rejected"), rejected.local(), rejected.remote());
    } else if (outcome instanceof Outcome.NoUpstream none) {
      json.put("outcome", "no_upstream").put("local", none.local().toString());
    } else if (outcome instanceof Outcome.NotFound none) {
      json.put("outcome", "not_found")
          .put("address", none.address().toString())
          .put("location", none.location());
    }
    return json;
  }

  private static void both(ObjectNode json, Ref local, Ref remote) {
    ref(json, "local_head", local);
    ref(json, "remote_head", remote);
  }

  private static void copied(ObjectNode json, Ref to, long commits, long bytes) {
    ref(json, "to", to);
    json.put("commits", commits).put("bytes", bytes);
  }

  private static void ref(ObjectNode json, String field, Optional<Ref> ref) {
    ref.ifPresentOrElse(known -> ref(json, field, known), () -> json.putNull(field));
  }

  private static void ref(ObjectNode json, String field, Ref ref) {
    json.putObject(field).put("id", ref.id().orElse(null)).put("t", ref.t());
  }
}
