// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.RecordKind;
import io.tidemark.names.view.NameEventJson;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.LargeIntegerEncoding;
import io.tidemark.server.http.RevalidatingCaller;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * View of one client: the events that it asks for and may read.
 *
 * @param wideAsText see {@link LargeIntegerEncoding}
 */
record WatchView(WatchFilter filter, RevalidatingCaller visitor, boolean wideAsText) {

  static WatchView of(HttpRequestContext httpRequestContext) {
    Set<Address> addresses = new HashSet<>();
    httpRequestContext.queries("address").forEach(text -> addresses.add(Address.parse(text)));
    Set<Concern> concerns = EnumSet.noneOf(Concern.class);
    httpRequestContext.queries("concern").forEach(text -> concerns.add(concern(text)));
    WatchFilter filter =
        new WatchFilter(
            httpRequestContext.query("prefix").orElse(""),
            addresses,
            httpRequestContext.query("kind").map(WatchView::kind),
            concerns.isEmpty() ? EnumSet.allOf(Concern.class) : concerns);
    return new WatchView(
        filter,
        httpRequestContext.revalidatingCaller(),
        LargeIntegerEncoding.asText(httpRequestContext));
  }

  Caller caller() {
    return visitor.caller();
  }

  private static Concern concern(String word) {
    return Arrays.stream(Concern.values())
        .filter(concern -> concern.text().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "the parameter concern is one of %s, unlike \"%s\""
                        .formatted(
                            Arrays.stream(Concern.values())
                                .map(Concern::text)
                                .collect(Collectors.joining(", ")),
                            word)));
  }

  private static RecordKind kind(String word) {
    return Arrays.stream(RecordKind.values())
        .filter(recordKind -> recordKind.text().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "the parameter kind is ledger or graph_source, unlike \"%s\"".formatted(word)));
  }

  /** Returns the part of an event that the client sees; empty if there is none. */
  Optional<NameEvent> of(NameEvent event) {
    return filter
        .narrow(event)
        .filter(told -> caller().may(Action.READ, ResourceType.NAMES, told.address().toString()));
  }

  /** Returns the document of an entry for the client; empty if it sees nothing of it. */
  Optional<byte[]> of(WatchHistory.Entry entry) {
    if (entry.event().isEmpty()) {
      return Optional.of(entry.json());
    }
    NameEvent event = entry.event().get();
    Optional<NameEvent> told = of(event);
    boolean asItIs = told.isPresent() && told.get().moved().size() == event.moved().size();
    return asItIs && !wideAsText ? Optional.of(entry.json()) : told.map(this::json);
  }

  byte[] json(NameEvent event) {
    JsonNode json = NameEventJson.of(event);
    return OutputBuffer.of(wideAsText ? LargeIntegerEncoding.asText(json) : json);
  }
}
