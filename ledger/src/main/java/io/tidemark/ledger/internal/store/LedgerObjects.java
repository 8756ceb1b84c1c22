// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.Register;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Objects of one ledger in a store, as one of its branches sees them: by their paths below its
 * prefix; JSON documents as such.
 *
 * <p>Branches share all but the objects in {@code meta/}. Only this class knows: the same path
 * leads to another object on another branch, so that readers and writers of a ledger work on any
 * branch. The head and the lock of a branch go by its name. Its other documents are below the epoch
 * of its head, where no other branch that has, had or gets the name ever has any: a late write or
 * deletion affects only the branch that it was meant for.
 *
 * @param prefix empty, or ends with {@code /}
 * @param epoch of the branch's head; empty for main, and as long as the head hasn't been read
 */
public record LedgerObjects(ObjectStore store, String prefix, BranchName branch, String epoch) {

  /** Creates the objects of the main branch, where a ledger without branches has everything. */
  public LedgerObjects(ObjectStore store, String prefix) {
    this(store, prefix, BranchName.MAIN, "");
  }

  public LedgerObjects {
    if (!prefix.isEmpty() && !prefix.endsWith("/")) {
      throw new IllegalArgumentException("a prefix ends with '/', unlike \"" + prefix + "\"");
    }
  }

  /** Document with the version it has. */
  public record Document(ObjectNode json, ETag etag) {}

  /** Returns the objects as another branch sees them: of its own ones, only head and lock. */
  public LedgerObjects forBranch(BranchName other) {
    return new LedgerObjects(store, prefix, other, "");
  }

  /** Returns all objects of the branch whose head this is. */
  public LedgerObjects forHead(Head head) {
    return branch.isMain()
        ? this
        : forEpoch(head.epoch().orElseThrow(() -> corrupt(LedgerLayout.HEAD, "has no epoch")));
  }

  /** Returns all objects of a branch whose head has this epoch, or will have it. */
  public LedgerObjects forEpoch(String life) {
    return new LedgerObjects(store, prefix, branch, life);
  }

  public String key(String path) {
    if (!LedgerLayout.isPerBranch(path)) {
      return prefix + path;
    }
    return prefix
        + (LedgerLayout.isPerBranchName(path) ? branch.directory() : branchDirectory())
        + path;
  }

  /** Returns the directory of the objects that only this branch, and no other of its name, has. */
  private String branchDirectory() {
    if (!branch.isMain() && epoch.isEmpty()) {
      throw new IllegalStateException("nobody has read the head of " + branch);
    }
    return branch.isMain() ? "" : branch.epochDirectory(epoch);
  }

  public Optional<StoredObject> get(String path) {
    return store.get(key(path));
  }

  /**
   * Reads a document; empty when there is none.
   *
   * @throws CorruptLedgerException when it isn't a JSON object
   */
  public Optional<Document> read(String path) {
    return get(path).map(object -> new Document(parse(path, object.bytes()), object.etag()));
  }

  /** Reads a document unless it is still in the version the caller knows. */
  public ReadResult<Document> readIfChanged(String path, ETag known) {
    ReadResult<byte[]> result = store.getIfChanged(key(path), known);
    if (result instanceof ReadResult.Found<byte[]> found) {
      Document document = new Document(parse(path, found.content()), found.etag());
      return new ReadResult.Found<>(found.etag(), document);
    }
    return result instanceof ReadResult.NotModified<byte[]>
        ? new ReadResult.NotModified<>()
        : new ReadResult.Absent<>();
  }

  /**
   * Returns a document as a value that changes only by compare-and-set. Reading it throws {@link
   * CorruptLedgerException} when it isn't a JSON object.
   */
  public Register<ObjectNode> register(String path) {
    return register(
        path,
        Register.Format.of(found -> Optional.of(parse(path, found.bytes())), CanonicalJson::write));
  }

  /**
   * Returns an object as a value that changes only by compare-and-set.
   *
   * @param <T> type of the value
   */
  public <T> Register<T> register(String path, Register.Format<T> format) {
    return store.register(key(path), format);
  }

  public WriteResult write(String path, ObjectNode json, Condition condition) {
    return put(path, Body.of(CanonicalJson.write(json)), condition);
  }

  public WriteResult put(String path, Body body, Condition condition) {
    return store.put(key(path), body, condition);
  }

  public void delete(String path) {
    store.delete(key(path));
  }

  /**
   * Returns every object whose path starts so, with its whole key; the caller closes the stream.
   */
  public Stream<ObjectInfo> list(String path) {
    return store.list(key(path));
  }

  /** Returns the path of a key that was listed. */
  public String path(String key) {
    String path = key.substring(prefix.length());
    String own = branch.isMain() || epoch.isEmpty() ? branch.directory() : branchDirectory();
    return path.startsWith(own) && LedgerLayout.isPerBranch(path.substring(own.length()))
        ? path.substring(own.length())
        : path;
  }

  /** Returns the location of the ledger, or of its branch's own objects, as people read it. */
  public String location() {
    String root = store.toString();
    String own = prefix + branch.directory();
    return root.endsWith("/") || own.isEmpty() ? root + own : root + "/" + own;
  }

  public ObjectNode parse(String path, byte[] bytes) {
    try {
      JsonNode node = CanonicalJson.parse(bytes);
      if (node instanceof ObjectNode object) {
        return object;
      }
      throw corrupt(path, "isn't a JSON object");
    } catch (IOException e) {
      throw corrupt(path, "is no JSON: " + e.getMessage());
    }
  }

  public CorruptLedgerException corrupt(String path, String problem) {
    return new CorruptLedgerException(
        path + " of the ledger in " + location() + " " + problem + "; restore it from a copy");
  }

  /** Returns the exception for a ledger or a branch that there isn't. */
  public UninitializedLedgerException uninitialized() {
    return UninitializedLedgerException.of(branch, location());
  }
}
