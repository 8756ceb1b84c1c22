// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import io.tidemark.objects.WriteResult.Written;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The truth below the faults: which bodies were really written and which versions really deleted,
 * in order. A test gives each of its writes a body of its own to find it here.
 */
final class AppliedWrites extends ForwardingBackend {

  /** A write that took place. */
  record Applied(String key, String text, ETag etag) {}

  private final List<Applied> writes = new ArrayList<>();
  private final List<ETag> deleted = new ArrayList<>();

  AppliedWrites(ObjectBackend wrapped) {
    super(wrapped);
  }

  synchronized List<Applied> writes() {
    return List.copyOf(writes);
  }

  List<String> written() {
    return writes().stream().map(Applied::text).toList();
  }

  synchronized List<ETag> deleted() {
    return List.copyOf(deleted);
  }

  @Override
  public synchronized WriteResult put(String key, Body body, Condition condition, String attempt) {
    WriteResult result = super.put(key, body, condition, attempt);
    if (result instanceof Written written) {
      writes.add(new Applied(key, text(body), written.etag()));
    }
    return result;
  }

  @Override
  public synchronized DeleteResult delete(String key, Optional<ETag> expected) {
    Optional<ETag> current = head(key).map(Head::etag);
    DeleteResult result = super.delete(key, expected);
    if (result.deleted()) {
      current.ifPresent(deleted::add);
    }
    return result;
  }

  private static String text(Body body) {
    try (InputStream stream = body.open()) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
