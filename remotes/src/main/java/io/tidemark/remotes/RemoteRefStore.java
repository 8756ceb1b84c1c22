// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Ref;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.threads.Parallel;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/**
 * Store of the last known state of the names on a remote: a document for each, in {@code
 * ns-sync/remotes/REMOTE/ADDRESS.json}, as other programs of this family keep it.
 */
final class RemoteRefStore {

  private static final String PAYLOADS = "payloads_sha256";
  private static final String HEAD = "head_digest";

  private final SyncDocuments documents;
  private final RemoteName remote;

  RemoteRefStore(SyncDocuments documents, RemoteName remote) {
    this.documents = documents;
    this.remote = remote;
  }

  private String folder() {
    return "remotes/" + remote.text();
  }

  Optional<RemoteRef> find(Address address) {
    return documents
        .read(folder(), address.toString())
        .flatMap(json -> parse(SyncDocuments.step(address.toString()), json));
  }

  /**
   * Returns the addresses that have a document, by the names of the files; the documents aren't
   * read.
   */
  SortedSet<Address> addresses() {
    SortedSet<Address> all = new TreeSet<>();
    for (String file : documents.names(folder())) {
      try {
        all.add(Address.parse(SyncDocuments.name(file)));
      } catch (TidemarkException e) {
        documents.warn(folder(), file, "is of no address");
      }
    }
    return all;
  }

  /** Returns the last known state of some addresses, without the unknown ones. */
  SortedMap<Address, RemoteRef> of(Collection<Address> addresses) {
    SortedMap<Address, RemoteRef> found = new ConcurrentSkipListMap<>();
    new Parallel()
        .run(
            addresses.stream()
                .<Runnable>map(
                    address ->
                        () -> find(address).ifPresent(remoteRef -> found.put(address, remoteRef)))
                .toList());
    return found;
  }

  /** Remembers what was found. */
  void store(RemoteRef found) {
    edit(found, known -> true);
  }

  /** Stores a state, unless the stored one isn't the expected one any more. */
  void replace(Optional<RemoteRef> before, RemoteRef found) {
    edit(found, before::equals);
  }

  private void edit(RemoteRef found, Predicate<Optional<RemoteRef>> replaceable) {
    boolean unused =
        documents.edit(
            folder(),
            found.address().toString(),
            json -> {
              Optional<RemoteRef> known = known(found.address(), json);
              return known.filter(found::isEquivalentTo).isPresent() || !replaceable.test(known)
                  ? Optional.empty()
                  : Optional.of(write(found, json));
            });
  }

  private Optional<RemoteRef> known(Address address, ObjectNode json) {
    return json.isEmpty() ? Optional.empty() : parse(SyncDocuments.step(address.toString()), json);
  }

  /** Forgets what was found unless something else is remembered by now. */
  void removeIf(RemoteRef before) {
    documents.removeIf(
        folder(),
        before.address().toString(),
        json -> known(before.address(), json).equals(Optional.of(before)));
  }

  void removeAll() {
    documents.removeAll(folder());
  }

  private static ObjectNode write(RemoteRef found, ObjectNode json) {
    json.put("remote", found.remote().text()).put("ledger_id", found.address().toString());
    put(json, "commit_head", found.commit());
    put(json, "index_head", found.index());
    found.payloads().ifPresentOrElse(hash -> json.put(PAYLOADS, hash), () -> json.remove(PAYLOADS));
    found.head().ifPresentOrElse(digest -> json.put(HEAD, digest), () -> json.remove(HEAD));
    return json.put("retracted", found.retracted())
        .put("last_fetched", UtcTimestamp.format(found.fetched()));
  }

  private static void put(ObjectNode json, String field, Optional<Ref> ref) {
    if (ref.isEmpty()) {
      json.remove(field);
      return;
    }
    json.putObject(field).put("id", ref.get().id().orElse(null)).put("t", ref.get().t());
  }

  private Optional<RemoteRef> parse(String file, ObjectNode json) {
    try {
      Address address = Address.parse(json.path("ledger_id").asText());
      if (!SyncDocuments.step(address.toString()).equals(file)
          || !json.path("remote").asText().equals(remote.text())) {
        documents.warn(folder(), file, "is of another address");
        return Optional.empty();
      }
      return Optional.of(
          new RemoteRef(
              remote,
              address,
              ref(json.path("commit_head")),
              ref(json.path("index_head")),
              text(json.path(PAYLOADS)),
              text(json.path(HEAD)),
              json.path("retracted").asBoolean(),
              UtcTimestamp.parse(json.path("last_fetched").asText()).orElse(Instant.EPOCH)));
    } catch (TidemarkException e) {
      documents.warn(folder(), file, "makes no sense: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static Optional<Ref> ref(JsonNode json) {
    return Optional.of(json)
        .filter(JsonNode::isObject)
        .map(found -> new Ref(text(found.path("id")), found.path("t").asLong()))
        .filter(ref -> !ref.equals(Ref.UNBORN));
  }

  private static Optional<String> text(JsonNode json) {
    return Optional.ofNullable(json.textValue());
  }
}
