// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.WriteResult;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Store of documents, read and written with one request each, with a cache of the last ones by
 * ETag. A reader needn't fetch an unchanged document again, and a writer that knows the last
 * version needn't read it before replacing it.
 */
final class DocumentStore {

  private static final int MOST_REMEMBERED = 8192;
  private static final int LONGEST_REMEMBERED = 1 << 16;

  private final ObjectStore store;
  private final Map<String, Document> remembered =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Document> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  /** Counts requests, so as to tell what was before what. */
  private final AtomicLong clock = new AtomicLong();

  DocumentStore(ObjectStore store) {
    this.store = store;
  }

  /** Now, in a time of which nothing is known but its order. */
  long moment() {
    return clock.get();
  }

  /** Returns the document as it is now. */
  Document read(String key) {
    Optional<Document> known = cached(key);
    return known.isPresent() ? readAgain(known.get()) : readFirst(key);
  }

  /** Returns the document as it was when a listing said so, or newer. */
  Document read(ObjectInfo listed) {
    return cached(listed.key())
        .filter(document -> document.etag().equals(Optional.of(listed.etag())))
        .orElseGet(() -> read(listed.key()));
  }

  /** Returns the document as it was last read or written here. */
  Optional<Document> cached(String key) {
    synchronized (remembered) {
      return Optional.ofNullable(remembered.get(key));
    }
  }

  /**
   * Writes a main document, if the one before it is still in its version.
   *
   * @return it, written; empty when another writer was faster
   */
  Optional<MainDocument> write(MainDocument next) {
    return write(next.document(), next.write()).map(next::at);
  }

  /** Writes a document beside a main one, if the one before it is still in its version. */
  Optional<Document> write(Address address, Concern concern, Document before, SideContent next) {
    Optional<Document> written = write(before, next.write(address, concern));
    written.ifPresent(document -> document.remember(next));
    return written;
  }

  /**
   * Replaces a document, if it is still in the version given.
   *
   * @return the new version; empty when another writer was faster
   */
  Optional<Document> write(Document before, ObjectNode json) {
    byte[] bytes = DocumentJson.print(json);
    long moment = clock.incrementAndGet();
    Condition condition = Condition.unchanged(before.etag());
    try {
      WriteResult result = store.put(before.key(), Body.of(bytes), condition);
      if (result instanceof WriteResult.Written written) {
        Document after = Document.of(before.key(), written.etag(), Optional.of(json), moment);
        return Optional.of(remember(after, bytes.length));
      }
    } catch (TidemarkException e) {
      forget(before.key());
      throw e;
    }
    forget(before.key());
    return Optional.empty();
  }

  /** Deletes a document that is still in the version given, where the store can do that. */
  void deleteIfPossible(Document document) {
    forget(document.key());
    if (store.capabilities().conditionalDelete() && document.etag().isPresent()) {
      store.deleteIfMatch(document.key(), document.etag().get());
    }
  }

  private Document readFirst(String key) {
    long moment = clock.incrementAndGet();
    Optional<StoredObject> object = store.get(key);
    return object
        .map(o -> found(key, o.etag(), o.bytes(), moment))
        .orElseGet(() -> Document.absent(key));
  }

  private Document readAgain(Document known) {
    String key = known.key();
    long moment = clock.incrementAndGet();
    ReadResult<byte[]> result = store.getIfChanged(key, known.etag().orElseThrow());
    if (result instanceof ReadResult.NotModified<byte[]>) {
      return known;
    }
    forget(key);
    return result instanceof ReadResult.Found<byte[]> found
        ? found(key, found.etag(), found.content(), moment)
        : Document.absent(key);
  }

  private Document found(String key, ETag etag, byte[] bytes, long moment) {
    Optional<ObjectNode> json =
        bytes.length == 0 ? Optional.empty() : Optional.of(DocumentJson.parse(key, bytes));
    return remember(Document.of(key, etag, json, moment), bytes.length);
  }

  private Document remember(Document document, int length) {
    synchronized (remembered) {
      if (length <= LONGEST_REMEMBERED) {
        remembered.put(document.key(), document);
      } else {
        remembered.remove(document.key());
      }
    }
    return document;
  }

  private void forget(String key) {
    synchronized (remembered) {
      remembered.remove(key);
    }
  }
}
