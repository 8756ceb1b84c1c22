// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.objects.WriteResult.Written;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probe that finds out whether a store honours conditions.
 *
 * <p>Many servers that speak S3 ignore the headers they don't know, so that every conditional write
 * "succeeds" and two writers overwrite each other without a word. Such a store is refused when it
 * is opened.
 *
 * <p>A condition on a delete is tried as well and noted; nothing depends on it. It counts as
 * honoured only if a delete of an absent object is refused too. Some servers, AWS by its reference
 * among them, answer that with success, so that two callers that delete one version would both be
 * told that they did.
 *
 * <p>It takes eight requests at most on an object of its own, {@code .tidemark-probe/<uuid>}, which
 * is deleted at the end. A process that dies in between leaves that object, of a few bytes;
 * listings leave it out. What it can't find out is whether conditions hold when two requests meet:
 * that is for a server's makers to promise.
 */
final class S3Probe {

  /** Under which the objects of probes lie. */
  static final String FOLDER = ".tidemark-probe/";

  private static final Logger LOG = LoggerFactory.getLogger(S3Probe.class);
  private static final String REMEDY =
      "; two writers could overwrite each other there without noticing. Use AWS S3, or a server"
          + " that honours If-Match and If-None-Match on PUT, such as Ceph from 20 on or Apache"
          + " Ozone from 2.2 on; or open it with ?access=read-only";

  private static final ETag NEVER_WRITTEN = new ETag("0123456789abcdef0123456789abcdef");

  private final S3Backend backend;
  private final String location;
  private final String key = FOLDER + UUID.randomUUID();

  private S3Probe(S3Backend backend) {
    this.backend = backend;
    this.location = backend.capabilities().location();
  }

  /**
   * Tries the store, again if it fails for a while.
   *
   * @param backend the store, which may send conditional deletes
   * @return whether it honours conditions on deletes
   * @throws UnsupportedStoreException when it ignores conditions on writes
   */
  static boolean conditionalDelete(S3Backend backend, Retry retry) {
    Retry.Backoff backoff = retry.start();
    while (true) {
      try {
        return new S3Probe(backend).run();
      } catch (StoreUnavailableException | OutcomeUnknownException e) {
        if (!backoff.pause()) {
          throw new StoreUnavailableException(
              "can't open " + backend.capabilities().location() + ": " + e.getMessage(), e);
        }
      }
    }
  }

  private boolean run() {
    boolean gone = false;
    try {
      boolean keepsAbsence = refusesDelete(NEVER_WRITTEN);
      refuses(
          Condition.ifMatch(NEVER_WRITTEN), "creates an object although If-Match names a version");
      ETag first = accepts(Condition.ifAbsent(), "create an object with If-None-Match: *");
      refuses(Condition.ifAbsent(), "overwrites an object in spite of If-None-Match: *");
      ETag second = accepts(Condition.ifMatch(first), "replace the version that If-Match names");
      refuses(Condition.ifMatch(first), "replaces a version that If-Match doesn't name");
      gone = keepsAbsence && refusesDelete(first) && deletes(second);
      return gone;
    } finally {
      if (!gone) {
        cleanUp();
      }
    }
  }

  private void refuses(Condition condition, String problem) {
    if (put(condition).isPresent()) {
      throw new UnsupportedStoreException(location + " " + problem + REMEDY);
    }
  }

  private ETag accepts(Condition condition, String deed) {
    return put(condition)
        .orElseThrow(
            () -> new UnsupportedStoreException(location + " refuses to " + deed + REMEDY));
  }

  /** Returns the version that was written, or empty when the condition was said not to hold. */
  private Optional<ETag> put(Condition condition) {
    String attempt = UUID.randomUUID().toString(); // in the bytes too, for versions to differ
    try {
      return backend
          .tryPut(key, Body.of("probe " + attempt), condition, attempt)
          .filter(Written.class::isInstance)
          .map(result -> ((Written) result).etag());
    } catch (UnsupportedStoreException e) {
      throw new UnsupportedStoreException(e.getMessage() + REMEDY, e);
    }
  }

  private boolean refusesDelete(ETag version) {
    try {
      return !deletes(version);
    } catch (UnsupportedStoreException | StoreFailureException | StoreAccessException e) {
      LOG.debug("{} takes no conditional delete", location, e);
      return false; // not because of the version
    }
  }

  private boolean deletes(ETag version) {
    return backend.tryDelete(key, Optional.of(version)).filter(DeleteResult::deleted).isPresent();
  }

  private void cleanUp() {
    try {
      backend.delete(key, Optional.empty());
    } catch (TidemarkException e) {
      LOG.warn("the probe left {}/{} behind, which does no harm", location, key, e);
    }
  }
}
