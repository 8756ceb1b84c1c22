// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Registry of the remotes, and of the upstreams of addresses. */
final class RemoteRegistry {

  private static final String REMOTES = "config";
  private static final String UPSTREAMS = "upstreams";

  private final SyncDocuments documents;

  RemoteRegistry(SyncDocuments documents) {
    this.documents = documents;
  }

  /** Doing it again changes nothing. */
  void add(Remote remote) {
    documents.edit(
        REMOTES,
        remote.name().text(),
        json -> {
          Optional<Remote> there = remote(remote.name().text(), json);
          if (there.filter(known -> !known.equals(remote)).isPresent()) {
            throw new AlreadyExistsException(
                "there is a remote "
                    + remote.name()
                    + " already, "
                    + there.get().location()
                    + "; remove it first, or choose another name");
          }
          return there.isPresent()
              ? Optional.empty()
              : Optional.of(
                  json.put("name", remote.name().text()).put("location", remote.location()));
        });
  }

  Optional<Remote> find(RemoteName name) {
    return documents.read(REMOTES, name.text()).flatMap(json -> remote(name.text(), json));
  }

  List<Remote> list() {
    return all(REMOTES, this::remote);
  }

  /**
   * Forgets a remote and what is pulled from it.
   *
   * @return whether there was one
   */
  boolean remove(RemoteName name) {
    boolean known = documents.read(REMOTES, name.text()).isPresent();
    upstreams().stream()
        .filter(upstream -> upstream.remote().equals(name))
        .forEach(upstream -> documents.remove(UPSTREAMS, upstream.local().toString()));
    documents.remove(REMOTES, name.text());
    return known;
  }

  private Optional<Remote> remote(String file, JsonNode json) {
    if (json.isEmpty()) {
      return Optional.empty();
    }
    return parseOrWarn(
        REMOTES,
        file,
        () -> {
          RemoteName name = new RemoteName(file);
          return new Remote(name, text(json, "location"));
        });
  }

  void setUpstream(Upstream upstream) {
    documents.edit(
        UPSTREAMS,
        upstream.local().toString(),
        json ->
            upstream(SyncDocuments.step(upstream.local().toString()), json)
                    .equals(Optional.of(upstream))
                ? Optional.empty()
                : Optional.of(
                    json.put("local_alias", upstream.local().toString())
                        .put("remote", upstream.remote().text())
                        .put("remote_alias", upstream.there().toString())));
  }

  Optional<Upstream> upstream(Address local) {
    return documents
        .read(UPSTREAMS, local.toString())
        .flatMap(json -> upstream(SyncDocuments.step(local.toString()), json));
  }

  List<Upstream> upstreams() {
    return all(UPSTREAMS, this::upstream);
  }

  private Optional<Upstream> upstream(String file, ObjectNode json) {
    if (json.isEmpty()) {
      return Optional.empty();
    }
    return parseOrWarn(
            UPSTREAMS,
            file,
            () ->
                new Upstream(
                    Address.parse(text(json, "local_alias")),
                    new RemoteName(text(json, "remote")),
                    Address.parse(text(json, "remote_alias"))))
        .filter(found -> SyncDocuments.step(found.local().toString()).equals(file));
  }

  private <T> List<T> all(String folder, DocumentParser<T> documentParser) {
    List<T> all = new ArrayList<>();
    documents
        .all(folder)
        .forEach((file, json) -> documentParser.read(file, json).ifPresent(all::add));
    return all;
  }

  private interface DocumentParser<T> {
    Optional<T> read(String file, ObjectNode json);
  }

  private static String text(JsonNode json, String field) {
    return Optional.ofNullable(json.path(field).textValue())
        .orElseThrow(() -> new InvalidRemoteException("has no " + field));
  }

  private <T> Optional<T> parseOrWarn(
      String folder, String file, java.util.function.Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (TidemarkException e) {
      documents.warn(folder, file, "makes no sense: " + e.getMessage());
      return Optional.empty();
    }
  }
}
