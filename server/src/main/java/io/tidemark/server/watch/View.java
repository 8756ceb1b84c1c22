// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.Kind;
import io.tidemark.names.view.EventJson;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Visitor;
import io.tidemark.server.http.WideNumbers;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one client sees: what it asks for, of what it may read.
 *
 * @param wideAsText see {@link WideNumbers}
 */
record View(WatchFilter filter, Visitor visitor, boolean wideAsText) {

  static View of(Call call) {
    Set<Address> addresses = new HashSet<>();
    call.queries("address").forEach(text -> addresses.add(Address.parse(text)));
    Set<Concern> concerns = EnumSet.noneOf(Concern.class);
    call.queries("concern").forEach(text -> concerns.add(concern(text)));
    WatchFilter filter =
        new WatchFilter(
            call.query("prefix").orElse(""),
            addresses,
            call.query("kind").map(View::kind),
            concerns.isEmpty() ? EnumSet.allOf(Concern.class) : concerns);
    return new View(filter, call.visitor(), WideNumbers.asText(call));
  }

  Caller caller() {
    return visitor.caller();
  }

  private static Concern concern(String word) {
    return Arrays.stream(Concern.values())
        .filter(concern -> concern.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Call.invalid(
                    "the parameter concern is one of %s, unlike \"%s\""
                        .formatted(
                            Arrays.stream(Concern.values())
                                .map(Concern::word)
                                .collect(Collectors.joining(", ")),
                            word)));
  }

  private static Kind kind(String word) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Call.invalid(
                    "the parameter kind is ledger or graph_source, unlike \"%s\"".formatted(word)));
  }

  /** What the client is told of an event; empty for nothing. */
  Optional<NameEvent> of(NameEvent event) {
    return filter
        .narrow(event)
        .filter(told -> caller().may(Action.READ, Realm.NAMES, told.address().toString()));
  }

  /** What the client is told of an entry; empty for nothing. */
  Optional<byte[]> of(History.Entry entry) {
    if (entry.event().isEmpty()) {
      return Optional.of(entry.json());
    }
    NameEvent event = entry.event().get();
    Optional<NameEvent> told = of(event);
    boolean asItIs = told.isPresent() && told.get().moved().size() == event.moved().size();
    return asItIs && !wideAsText ? Optional.of(entry.json()) : told.map(this::json);
  }

  byte[] json(NameEvent event) {
    JsonNode json = EventJson.of(event);
    return Text.of(wideAsText ? WideNumbers.asText(json) : json);
  }
}
