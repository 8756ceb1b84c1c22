// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.ETag;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Document in one version. It is parsed once, for the first caller that asks; a document that was
 * written here is known from the start.
 */
final class Document {

  private final String key;
  private final Optional<ETag> etag;
  private final Optional<ObjectNode> json;
  private final long moment;

  /** Null until it is known. */
  private volatile @Nullable MainDocument main;

  /** Null until it is known. */
  private volatile @Nullable SideContent content;

  private Document(String key, Optional<ETag> etag, Optional<ObjectNode> json, long moment) {
    this.key = key;
    this.etag = etag;
    this.json = json;
    this.moment = moment;
  }

  static Document absent(String key) {
    return new Document(key, Optional.empty(), Optional.empty(), 0);
  }

  /**
   * Returns a document that was read or written.
   *
   * @param json the JSON; empty when it has no bytes. Not to be changed
   * @param moment when the request began, see {@link DocumentStore#moment}
   */
  static Document of(String key, ETag etag, Optional<ObjectNode> json, long moment) {
    return new Document(key, Optional.of(etag), json, moment);
  }

  /** Returns the key of the object. */
  String key() {
    return key;
  }

  /** Returns the version of the object there; empty when there is none. */
  Optional<ETag> etag() {
    return etag;
  }

  /** Returns the JSON; empty when there is no object, or one without bytes. Not to be changed. */
  Optional<ObjectNode> json() {
    return json;
  }

  /** Returns whether it was this that lay there at some time after the given moment. */
  boolean wasThereAfter(long then) {
    return moment > then;
  }

  /** Returns the content parsed as a main document. */
  Optional<MainDocument> main() {
    return Optional.ofNullable(main);
  }

  MainDocument remember(MainDocument meaning) {
    main = meaning;
    return meaning;
  }

  /** Returns the content parsed as a side document. */
  Optional<SideContent> content() {
    return Optional.ofNullable(content);
  }

  SideContent remember(SideContent meaning) {
    content = meaning;
    return meaning;
  }
}
