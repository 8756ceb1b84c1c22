// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.features.Features;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CommitUnknownException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.read.Reading;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What all routes of features need: the storage, who writes, and what is sent. */
final class Desk {

  static final String GEO_JSON = "application/geo+json";

  /** The application that writes, percent-encoded. */
  private static final String APP = "Tidemark-App";

  /** The person who writes, percent-encoded. */
  private static final String AUTHOR = "Tidemark-Author";

  private static final String REQUEST = "X-Request-Id";
  private static final String USUAL_APP = "tidemark-server";

  private final Optional<Features> features;

  Desk(Optional<Features> features) {
    this.features = features;
  }

  static Need reads() {
    return Need.of(Action.READ, Realm.FEATURES, "collection");
  }

  static Need writes() {
    return Need.of(Action.WRITE, Realm.FEATURES, "collection");
  }

  /** The storage, if the server has one. */
  Features features() {
    return features.orElseThrow(
        () ->
            new ProblemException(
                Problem.of(
                    404,
                    "no-features",
                    "this server has no features; start it with --features embedded, or with"
                        + " --features and the URL of a PostgreSQL")));
  }

  /** Looks at features, at least as they were with the transaction that the call names. */
  <T> T read(Call call, Function<Reading, T> work) {
    Optional<Txn> since = call.query("minTxn").map(Desk::txn);
    return since.isPresent() ? features().readSince(since.get(), work) : features().read(work);
  }

  static Txn txn(String text) {
    try {
      return new Txn(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw Call.invalid(
          "'%s' is no transaction number; one looks like 2026111600000000007".formatted(text));
    }
  }

  /** Who writes to a collection: another than the caller only if the caller may look after it. */
  Actor actor(Call call, String collection) {
    Actor app = Actor.app(header(call, APP).orElse(USUAL_APP));
    Optional<String> stream = call.header(REQUEST).filter(call.id()::equals);
    Actor actor = stream.isPresent() ? app.in(stream.get()) : app;
    return author(call, collection).map(actor::by).orElse(actor);
  }

  /** The person who writes to a collection; empty when nobody knows. */
  static Optional<String> author(Call call, String collection) {
    Caller caller = call.caller();
    Optional<String> given = header(call, AUTHOR);
    if (given.filter(name -> !name.equals(caller.name())).isPresent()) {
      caller.require(Action.ADMIN, Realm.FEATURES, collection);
    }
    return given.isPresent() || caller.equals(Caller.anybody())
        ? given
        : Optional.of(caller.name());
  }

  private static Optional<String> header(Call call, String name) {
    try {
      return call.header(name)
          .map(text -> URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw Call.invalid("the header " + name + " has a '%' without two digits behind it");
    }
  }

  /** GeoJSON. */
  static Reply geoJson(JsonNode json) {
    return new Reply.Json(200, GEO_JSON, json, Map.of());
  }

  /** The route, which says of a commit that nobody knows of how to find out about it. */
  Route telling(Route route) {
    return route.answeredBy(
        call -> {
          try {
            return route.endpoint().answer(call);
          } catch (CommitUnknownException e) {
            throw new ProblemException(unknown(e));
          }
        });
  }

  private static Problem unknown(CommitUnknownException e) {
    return Problem.of(
            504,
            e.code(),
            e.getMessage()
                + "; before doing it again, ask GET /v1/transactions/outcome with the parameters"
                + " transaction and began of this problem")
        .with("transaction", TextNode.valueOf(e.transactionId()))
        .with("began", TextNode.valueOf(e.began()));
  }
}
