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
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Endpoint;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
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
 * Objects by their keys: what {@link io.tidemark.objects.ObjectBackend} promises, over HTTP. A
 * write has an attempt of its client's in {@value #ATTEMPT}, and a look at an object says which
 * attempt wrote it, so that a client whose answer got lost finds out what became of its write.
 */
public final class ObjectRoutes {

  private static final String ATTEMPT = "Tidemark-Attempt";

  /** When a version was written, to the microsecond; {@code Last-Modified} has whole seconds. */
  private static final String MODIFIED = "Tidemark-Modified";

  /** What time it is by the clock of the store, by which leases are judged. */
  private static final String TIME = "Tidemark-Time";

  private static final String CONDITIONAL_DELETE = "Tidemark-Conditional-Delete";

  /** The code of a problem, for who asks for heads only and gets no document. */
  private static final String PROBLEM = "Tidemark-Problem";

  private static final String TYPE = "application/octet-stream";
  private static final Pattern ATTEMPT_FORM = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.RFC_1123_DATE_TIME;
  private static final int SMALL = 1 << 16;

  /** How many entries are looked at for one page, of which the caller may see none. */
  private static final int LOOKED_AT = 10_000;

  private final Optional<ObjectStore> store;
  private final RecentWrites recent = new RecentWrites();

  /**
   * Routes to a store.
   *
   * @param store empty when the server has none
   */
  public ObjectRoutes(Optional<ObjectStore> store) {
    this.store = store;
  }

  public List<Route> routes() {
    String key = "/v1/objects/{key...}";
    Need read = Need.some(Action.READ, Realm.NAMES, Realm.EVENTS);
    Need write = Need.some(Action.WRITE, Realm.NAMES, Realm.EVENTS);
    Need admin = Need.some(Action.ADMIN, Realm.NAMES, Realm.EVENTS);
    return List.of(
        new Route("GET", "/v1/objects", read, told(this::list)),
        new Route("GET", key, read, told(this::get)),
        new Route("PUT", key, write, told(this::put)),
        new Route("DELETE", key, admin, told(this::delete)));
  }

  /** Adds to each answer what clients want to know of the store. */
  private Endpoint told(Endpoint endpoint) {
    return call -> {
      Reply reply;
      try {
        reply = endpoint.answer(call);
      } catch (ProblemException e) {
        reply = new Reply.Failed(e.problem(), e.headers());
      } catch (TidemarkException e) {
        reply = Reply.problem(Problem.of(e));
      }
      if (reply instanceof Reply.Failed failed) {
        reply = failed.with(PROBLEM, failed.problem().code());
      }
      if (store.isEmpty()) {
        return reply;
      }
      return reply
          .with(TIME, UtcTimestamp.format(store().clock().instant()))
          .with(CONDITIONAL_DELETE, String.valueOf(store().capabilities().conditionalDelete()));
    };
  }

  private Reply get(Call call) throws IOException {
    String key = key(call);
    ObjectRights.requireRead(call.caller(), key);
    if (call.isHead()) {
      return head(key);
    }
    Optional<ETag> known = Preconditions.ofRead(call);
    ReadResult<Download> result =
        known.isPresent()
            ? store().openStreamIfChanged(key, known.get())
            : store()
                .openStream(key)
                .<ReadResult<Download>>map(found -> new ReadResult.Found<>(found.etag(), found))
                .orElseGet(ReadResult.Absent::new);
    if (result instanceof ReadResult.NotModified<Download>) {
      return Reply.empty(304).with("ETag", Preconditions.quoted(known.orElseThrow()));
    }
    if (!(result instanceof ReadResult.Found<Download> found)) {
      throw absent(key);
    }
    Download download = found.content();
    return content(key, download).with("ETag", Preconditions.quoted(download.etag()));
  }

  private static Reply content(String key, Download download) throws IOException {
    if (download.size() > SMALL) {
      InputStream in = download.stream();
      return new Reply.Streamed(
          200,
          TYPE,
          Reply.Writing.holding(
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
    return new Reply.Bytes(200, TYPE, bytes, Map.of());
  }

  private Reply head(String key) {
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
    return new Reply.Empty(200, headers);
  }

  private Reply put(Call call) throws IOException {
    String key = key(call);
    boolean[] begun = new boolean[1];
    IncomingBody incoming =
        new IncomingBody(
            call,
            () -> {
              begun[0] = true;
              recent.begins(key);
            });
    try {
      return put(call, key, incoming);
    } catch (TidemarkException e) {
      incoming.drain();
      throw e;
    } finally {
      if (begun[0]) {
        recent.ended(key);
      }
    }
  }

  private Reply put(Call call, String key, IncomingBody incoming) throws IOException {
    Condition condition = Preconditions.ofWrite(call);
    ObjectRights.Writable writable = ObjectRights.requireWrite(call.caller(), key, condition);
    String attempt = attempt(call);
    return switch (writable) {
      case ANYTHING -> write(key, incoming.body(), incoming, condition, attempt);
      case THE_SAME -> writeAgain(key, incoming, attempt);
      case WHAT_FOLLOWS -> moveOn(key, incoming, (Condition.IfMatch) condition, attempt);
    };
  }

  /** Replaces a head by one that follows it; that it is this head is what the condition says. */
  private Reply moveOn(
      String key, IncomingBody incoming, Condition.IfMatch condition, String attempt)
      throws IOException {
    byte[] next = incoming.bytes();
    Optional<HeadStep.Missed> missed = new HeadStep(store(), key).judge(condition.expected(), next);
    return missed.isPresent()
        ? conflict(key, missed.get().actual())
        : write(key, Body.of(next), incoming, condition, attempt);
  }

  /** Writes what is there once more, if it is the same, or what isn't there yet. */
  private Reply writeAgain(String key, IncomingBody incoming, String attempt) throws IOException {
    Optional<Download> there = store().openStream(key);
    if (there.isEmpty()) {
      return write(key, incoming.body(), incoming, Condition.ifAbsent(), attempt);
    }
    try (Download old = there.get();
        InputStream stored = old.stream();
        InputStream sent = incoming.body().open()) {
      if (!isSame(stored, sent)) {
        throw ObjectRights.historyStays(key);
      }
      Body same = Body.ofStream(old.size(), () -> reopened(key));
      return write(key, same, incoming, Condition.ifMatch(old.etag()), attempt);
    }
  }

  /** It never changes, so that whichever version this is has the same bytes. */
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

  private Reply write(
      String key, Body body, IncomingBody incoming, Condition condition, String attempt) {
    WriteResult result;
    try {
      result = store().put(key, body, condition, attempt);
    } catch (OutcomeUnknownException e) {
      throw e;
    } catch (TidemarkException e) {
      if (incoming.isWantedAgain()) {
        throw new StoreUnavailableException("writing " + key + " failed; send it again", e);
      }
      throw e;
    }
    if (result instanceof Written written) {
      recent.wrote(key, written.etag(), attempt);
      return Reply.empty(204).with("ETag", Preconditions.quoted(written.etag()));
    }
    return conflict(key, ((PreconditionFailed) result).current());
  }

  private Reply delete(Call call) {
    String key = key(call);
    ObjectRights.requireDelete(call.caller(), key);
    Optional<ETag> expected = Preconditions.ofDelete(call);
    if (expected.isEmpty()) {
      store().delete(key);
      return Reply.empty(204);
    }
    DeleteResult result = store().deleteIfMatch(key, expected.get());
    return result instanceof PreconditionFailed failed
        ? conflict(key, failed.current())
        : Reply.empty(204);
  }

  private Reply list(Call call) {
    String prefix = call.query("prefix").orElse("");
    String after = PageToken.of(call).or(() -> call.query("after")).orElse("");
    int limit = call.pageSize();
    Listing listing = new Listing(prefix, after, depth(call));
    List<ObjectNode> items = new ArrayList<>();
    try (Stream<Listing.Entry> entries = store().list(listing)) {
      Iterator<Listing.Entry> iterator = entries.iterator();
      for (int i = 0; i < LOOKED_AT && iterator.hasNext(); i++) {
        Listing.Entry entry = iterator.next();
        if (ObjectRights.mayList(call.caller(), entry)) {
          items.add(json(entry));
        }
        boolean full = items.size() == limit || i == LOOKED_AT - 1;
        if (full && iterator.hasNext()) {
          return Reply.ok(PageToken.page(items, Optional.of(entry.name())));
        }
        if (full) {
          break;
        }
      }
    }
    return Reply.ok(PageToken.page(items, Optional.empty()));
  }

  private static Listing.Depth depth(Call call) {
    return switch (call.query("depth").orElse("all")) {
      case "all" -> Listing.Depth.ALL;
      case "children" -> Listing.Depth.CHILDREN;
      default -> throw Call.invalid("the parameter depth is all or children");
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

  private static String key(Call call) {
    return ObjectKeys.check(call.path("key"));
  }

  private static String attempt(Call call) {
    String attempt = call.header(ATTEMPT).orElseGet(() -> UUID.randomUUID().toString());
    if (!ATTEMPT_FORM.matcher(attempt).matches()) {
      throw Call.invalid(ATTEMPT + " is 1 to 64 letters, digits, '_' and '-'");
    }
    return attempt;
  }

  private static ProblemException absent(String key) {
    return new ProblemException(Problem.of(404, "no-such-object", "there is no object " + key));
  }

  /** The actual version is told; there is none to tell when there is no object. */
  private static Reply conflict(String key, Optional<ETag> current) {
    String found = current.map(etag -> "is in version " + etag).orElse("isn't there");
    Problem problem =
        Problem.of(412, "precondition-failed", key + " " + found + "; nothing was changed");
    return Reply.problem(
        current.map(etag -> problem.with("etag", TextNode.valueOf(etag.value()))).orElse(problem));
  }
}
