// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend.Head;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ObjectStore.Download;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteHandler;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Routes of objects by key, which offer {@link io.tidemark.objects.ObjectBackend} over HTTP. A
 * write carries an attempt id of its client in {@value #ATTEMPT}, and a read of an object tells
 * which attempt wrote it. So a client that lost an answer can find out the outcome of its write.
 */
public final class ObjectRoutes {

  private static final String ATTEMPT = "Tidemark-Attempt";

  /** Header with the time of a version in microseconds; {@code Last-Modified} has whole seconds. */
  private static final String MODIFIED = "Tidemark-Modified";

  /** Header with the current time of the store's clock, by which leases are judged. */
  private static final String TIME = "Tidemark-Time";

  private static final String CONDITIONAL_DELETE = "Tidemark-Conditional-Delete";

  /** Header with the code of a problem, for HEAD requests, which get no document. */
  private static final String PROBLEM = "Tidemark-Problem";

  private static final String TYPE = "application/octet-stream";
  private static final Pattern ATTEMPT_FORM = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.RFC_1123_DATE_TIME;
  private static final int SMALL = 1 << 16;

  /** Maximum number of entries to read for one page, even if the caller may see none of them. */
  private static final int LOOKED_AT = 10_000;

  private final Optional<ObjectStore> store;
  private final RecentWrites recent = new RecentWrites();

  /**
   * Creates routes to a store.
   *
   * @param store empty if the server has none
   */
  public ObjectRoutes(Optional<ObjectStore> store) {
    this.store = store;
  }

  public List<Route> routes() {
    String key = "/v1/objects/{key...}";
    RequiredPermission read =
        RequiredPermission.onAny(Action.READ, ResourceType.NAMES, ResourceType.EVENTS);
    RequiredPermission write =
        RequiredPermission.onAny(Action.WRITE, ResourceType.NAMES, ResourceType.EVENTS);
    RequiredPermission admin =
        RequiredPermission.onAny(Action.ADMIN, ResourceType.NAMES, ResourceType.EVENTS);
    return List.of(
        new Route("GET", "/v1/objects", read, withStoreHeaders(this::list)),
        new Route("GET", key, read, withStoreHeaders(this::get)),
        new Route("PUT", key, write, withStoreHeaders(this::put)),
        new Route("DELETE", key, admin, withStoreHeaders(this::delete)));
  }

  /** Adds headers about the store to each answer. */
  private RouteHandler withStoreHeaders(RouteHandler routeHandler) {
    return httpRequestContext -> {
      RouteResponse routeResponse;
      try {
        routeResponse = routeHandler.answer(httpRequestContext);
      } catch (ProblemException e) {
        routeResponse = new RouteResponse.Failed(e.problem(), e.headers());
      } catch (TidemarkException e) {
        routeResponse = RouteResponse.problem(Problem.of(e));
      }
      if (routeResponse instanceof RouteResponse.Failed failed) {
        routeResponse = failed.with(PROBLEM, failed.problem().code());
      }
      if (store.isEmpty()) {
        return routeResponse;
      }
      return routeResponse
          .with(TIME, UtcTimestamp.format(store().clock().instant()))
          .with(CONDITIONAL_DELETE, String.valueOf(store().capabilities().conditionalDelete()));
    };
  }

  private RouteResponse get(HttpRequestContext httpRequestContext) throws IOException {
    String key = key(httpRequestContext);
    ObjectPermissions.requireRead(httpRequestContext.caller(), key);
    if (httpRequestContext.isHead()) {
      return head(key);
    }
    Optional<ETag> known = Preconditions.ofRead(httpRequestContext);
    ReadResult<Download> result =
        known.isPresent()
            ? store().openStreamIfChanged(key, known.get())
            : store()
                .openStream(key)
                .<ReadResult<Download>>map(found -> new ReadResult.Found<>(found.etag(), found))
                .orElseGet(ReadResult.Absent::new);
    if (result instanceof ReadResult.NotModified<Download>) {
      return RouteResponse.empty(304).with("ETag", Preconditions.quoted(known.orElseThrow()));
    }
    if (!(result instanceof ReadResult.Found<Download> found)) {
      throw absent(key);
    }
    Download download = found.content();
    return content(key, download).with("ETag", Preconditions.quoted(download.etag()));
  }

  private static RouteResponse content(String key, Download download) throws IOException {
    if (download.size() > SMALL) {
      InputStream in = download.stream();
      return new RouteResponse.Streamed(
          200,
          TYPE,
          RouteResponse.BodyWriter.closing(
              in,
              out -> {
                long unused = in.transferTo(out);
              }),
          Map.of("Content-Length", String.valueOf(download.size())));
    }
    byte[] bytes;
    try (InputStream in = download.stream()) {
      bytes = in.readNBytes((int) download.size());
    } catch (IOException e) {
      throw new StoreUnavailableException("reading " + key + " broke off; try again", e);
    }
    if (bytes.length < download.size()) {
      throw new StoreUnavailableException("reading " + key + " broke off; try again");
    }
    return new RouteResponse.Bytes(200, TYPE, bytes, Map.of());
  }

  private RouteResponse head(String key) {
    Head head = store().describe(key).orElseThrow(() -> absent(key));
    Map<String, String> headers = new TreeMap<>();
    headers.put("ETag", Preconditions.quoted(head.etag()));
    headers.put("Content-Length", String.valueOf(head.size()));
    headers.put("Last-Modified", HTTP_DATE.format(head.lastModified().atOffset(ZoneOffset.UTC)));
    headers.put(MODIFIED, UtcTimestamp.format(head.lastModified()));
    head.attempt()
        .or(() -> recent.attempt(key, head.etag()))
        .ifPresent(attempt -> headers.put(ATTEMPT, attempt));
    headers.put("Content-Type", TYPE);
    return new RouteResponse.Empty(200, headers);
  }

  private RouteResponse put(HttpRequestContext httpRequestContext) throws IOException {
    String key = key(httpRequestContext);
    boolean[] begun = new boolean[1];
    IncomingBody incoming =
        new IncomingBody(
            httpRequestContext,
            () -> {
              begun[0] = true;
              recent.beginWrite(key);
            });
    try {
      return put(httpRequestContext, key, incoming);
    } catch (TidemarkException e) {
      incoming.drain();
      throw e;
    } finally {
      if (begun[0]) {
        recent.endWrite(key);
      }
    }
  }

  private RouteResponse put(
      HttpRequestContext httpRequestContext, String key, IncomingBody incoming) throws IOException {
    Condition condition = Preconditions.ofWrite(httpRequestContext);
    ObjectPermissions.WriteRule writeRule =
        ObjectPermissions.requireWrite(httpRequestContext.caller(), key, condition);
    String attempt = attempt(httpRequestContext);
    return switch (writeRule) {
      case ANYTHING -> write(key, incoming.body(), incoming, condition, attempt);
      case THE_SAME -> writeIdentical(key, incoming, attempt);
      case WHAT_FOLLOWS -> advanceHead(key, incoming, (Condition.IfMatch) condition, attempt);
    };
  }

  /**
   * Replaces a head by one that follows it. The write is conditional on the head that was checked.
   */
  private RouteResponse advanceHead(
      String key, IncomingBody incoming, Condition.IfMatch condition, String attempt)
      throws IOException {
    byte[] next = incoming.bytes();
    Optional<HeadAdvanceValidator.VersionMismatch> missed =
        new HeadAdvanceValidator(store(), key).validate(condition.expected(), next);
    return missed.isPresent()
        ? conflict(key, missed.get().actual())
        : write(key, Body.of(next), incoming, condition, attempt);
  }

  /** Writes an object that doesn't exist yet, or writes the same bytes again. */
  private RouteResponse writeIdentical(String key, IncomingBody incoming, String attempt)
      throws IOException {
    Optional<Download> there = store().openStream(key);
    if (there.isEmpty()) {
      return write(key, incoming.body(), incoming, Condition.ifAbsent(), attempt);
    }
    try (Download old = there.get();
        InputStream stored = old.stream();
        InputStream sent = incoming.body().open()) {
      if (!isSame(stored, sent)) {
        throw ObjectPermissions.historyIsImmutable(key);
      }
      Body same = Body.ofStream(old.size(), () -> reopened(key));
      return write(key, same, incoming, Condition.ifMatch(old.etag()), attempt);
    }
  }

  /** Opens an object of the history again; all versions of it have the same bytes. */
  private InputStream reopened(String key) throws IOException {
    return store()
        .openStream(key)
        .orElseThrow(() -> new IOException("it was deleted meanwhile"))
        .stream();
  }

  private static boolean isSame(InputStream one, InputStream other) throws IOException {
    byte[] buffer = new byte[SMALL];
    for (int n = other.readNBytes(buffer, 0, SMALL);
        n > 0;
        n = other.readNBytes(buffer, 0, SMALL)) {
      byte[] expected = one.readNBytes(n);
      if (!Arrays.equals(expected, 0, expected.length, buffer, 0, n)) {
        return false;
      }
    }
    return one.read() < 0;
  }

  private RouteResponse write(
      String key, Body body, IncomingBody incoming, Condition condition, String attempt) {
    WriteResult result;
    try {
      result = store().put(key, body, condition, attempt);
    } catch (OutcomeUnknownException e) {
      throw e;
    } catch (TidemarkException e) {
      if (incoming.wasRequestedAgain()) {
        throw new StoreUnavailableException("writing " + key + " failed; send it again", e);
      }
      throw e;
    }
    if (result instanceof Written written) {
      recent.recordWrite(key, written.etag(), attempt);
      return RouteResponse.empty(204).with("ETag", Preconditions.quoted(written.etag()));
    }
    return conflict(key, ((PreconditionFailed) result).current());
  }

  private RouteResponse delete(HttpRequestContext httpRequestContext) {
    String key = key(httpRequestContext);
    ObjectPermissions.requireDelete(httpRequestContext.caller(), key);
    Optional<ETag> expected = Preconditions.ofDelete(httpRequestContext);
    if (expected.isEmpty()) {
      store().delete(key);
      return RouteResponse.empty(204);
    }
    DeleteResult result = store().deleteIfMatch(key, expected.get());
    return result instanceof PreconditionFailed failed
        ? conflict(key, failed.current())
        : RouteResponse.empty(204);
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    String prefix = httpRequestContext.query("prefix").orElse("");
    String after =
        Pagination.of(httpRequestContext).or(() -> httpRequestContext.query("after")).orElse("");
    int limit = httpRequestContext.pageSize();
    Listing listing = new Listing(prefix, after, depth(httpRequestContext));
    List<ObjectNode> items = new ArrayList<>();
    try (Stream<Listing.Entry> entries = store().list(listing)) {
      Iterator<Listing.Entry> iterator = entries.iterator();
      for (int i = 0; i < LOOKED_AT && iterator.hasNext(); i++) {
        Listing.Entry entry = iterator.next();
        if (ObjectPermissions.mayList(httpRequestContext.caller(), entry)) {
          items.add(json(entry));
        }
        boolean full = items.size() == limit || i == LOOKED_AT - 1;
        if (full && iterator.hasNext()) {
          return RouteResponse.ok(Pagination.page(items, Optional.of(entry.name())));
        }
        if (full) {
          break;
        }
      }
    }
    return RouteResponse.ok(Pagination.page(items, Optional.empty()));
  }

  private static Listing.Depth depth(HttpRequestContext httpRequestContext) {
    return switch (httpRequestContext.query("depth").orElse("all")) {
      case "all" -> Listing.Depth.ALL;
      case "children" -> Listing.Depth.CHILDREN;
      default -> throw HttpRequestContext.invalid("the parameter depth is all or children");
    };
  }

  private static ObjectNode json(Listing.Entry entry) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (!(entry instanceof Listing.Entry.Item item)) {
      return json.put("group", entry.name());
    }
    ObjectInfo info = item.info();
    return json.put("key", info.key())
        .put("etag", info.etag().value())
        .put("size", info.size())
        .put("modified", UtcTimestamp.format(info.lastModified()));
  }

  private ObjectStore store() {
    return store.orElseThrow(
        () ->
            new ProblemException(
                Problem.of(
                    404,
                    "no-objects",
                    "this server has names that are in no object store, and no other was named")));
  }

  private static String key(HttpRequestContext httpRequestContext) {
    return ObjectKeys.check(httpRequestContext.path("key"));
  }

  private static String attempt(HttpRequestContext httpRequestContext) {
    String attempt =
        httpRequestContext.header(ATTEMPT).orElseGet(() -> UUID.randomUUID().toString());
    if (!ATTEMPT_FORM.matcher(attempt).matches()) {
      throw HttpRequestContext.invalid(ATTEMPT + " is 1 to 64 letters, digits, '_' and '-'");
    }
    return attempt;
  }

  private static ProblemException absent(String key) {
    return new ProblemException(Problem.of(404, "no-such-object", "there is no object " + key));
  }

  /** Returns the answer to a failed condition, with the current version if the object exists. */
  private static RouteResponse conflict(String key, Optional<ETag> current) {
    String found = current.map(etag -> "is in version " + etag).orElse("isn't there");
    Problem problem =
        Problem.of(412, "precondition-failed", key + " " + found + "; nothing was changed");
    return RouteResponse.problem(
        current.map(etag -> problem.with("etag", TextNode.valueOf(etag.value()))).orElse(problem));
  }
}
