// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.tidemark.ledger.internal.store.ChainPrefetcher;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.InvalidKeyException;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Walk through the manifests of a branch from the newest back, also past damaged ones. */
final class ManifestWalk {

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final BranchName branch;
  private final Consumer<ObjectDamage> damages;
  private final ChainPrefetcher chainPrefetcher;
  private final NavigableMap<Long, Link> ancestors = new TreeMap<>();
  private Optional<Link> next;

  ManifestWalk(
      LedgerObjects objects,
      ManifestChain manifestChain,
      BranchName branch,
      Link tip,
      Consumer<ObjectDamage> damages) {
    this.objects = objects;
    this.manifestChain = manifestChain;
    this.branch = branch;
    this.damages = damages;
    this.chainPrefetcher = new ChainPrefetcher(manifestChain, 1);
    this.next = Optional.of(tip);
  }

  /** Returns the commit that {@link #read} reads next; empty when no manifest leads further. */
  Optional<Link> next() {
    return next;
  }

  /** Reads the next manifest; empty when it is damaged. */
  Optional<CommittedManifest> read() {
    Link link = next.orElseThrow();
    try {
      Manifest manifest = manifestChain.at(link);
      remember(manifest);
      next = before(manifest, link);
      next.ifPresent(parent -> chainPrefetcher.beforeStep(manifest, parent.commitId()));
      return Optional.of(new CommittedManifest(manifest, link.path()));
    } catch (CorruptLedgerException | InvalidKeyException e) {
      damages.accept(damage(link, e));
      next = skip(link);
      return Optional.empty();
    }
  }

  private void remember(Manifest manifest) {
    ancestors.tailMap(manifest.commitId(), true).clear();
    manifest.ancestors().stream()
        .flatMap(links -> links.stream())
        .filter(link -> link.commitId() < manifest.commitId())
        .forEach(link -> ancestors.putIfAbsent(link.commitId(), link));
  }

  private Optional<Link> before(Manifest manifest, Link link) {
    long expected = manifest.commitId() - 1;
    if (manifest.parent().map(Link::commitId).orElse(0L) == expected) {
      return manifest.parent();
    }
    damages.accept(
        new ObjectDamage(
            ObjectDamage.DamageKind.WRONG_LINK,
            branch,
            link.commitId(),
            objects.key(link.path()),
            "commit " + expected + " as its parent",
            manifest.parent().map(parent -> "commit " + parent.commitId()).orElse("none")));
    return skip(link);
  }

  private ObjectDamage damage(Link link, TidemarkException problem) {
    String key = objects.key(link.path());
    String expected = "the manifest of commit " + link.commitId();
    if (problem instanceof InvalidKeyException) {
      String found = String.valueOf(problem.getMessage());
      return new ObjectDamage(
          ObjectDamage.DamageKind.WRONG_LINK, branch, link.commitId(), key, expected, found);
    }
    Optional<StoredObject> stored = objects.get(link.path());
    if (stored.isEmpty()) {
      return new ObjectDamage(
          ObjectDamage.DamageKind.MISSING,
          branch,
          link.commitId(),
          key,
          expected,
          "no such object");
    }
    try {
      long found = Manifest.parse(objects, link.path(), stored.get().bytes()).commitId();
      return new ObjectDamage(
          ObjectDamage.DamageKind.WRONG_LINK,
          branch,
          link.commitId(),
          key,
          expected,
          "the manifest of commit " + found);
    } catch (CorruptLedgerException e) {
      return new ObjectDamage(
          ObjectDamage.DamageKind.UNREADABLE,
          branch,
          link.commitId(),
          key,
          expected + " as it was written",
          String.valueOf(problem.getMessage()));
    }
  }

  /**
   * Goes on behind a manifest that doesn't lead to its parent: at the parent if there is one object
   * only that can be its manifest, else at the next older commit that an intact manifest names.
   */
  private Optional<Link> skip(Link damaged) {
    long parent = damaged.commitId() - 1;
    Optional<Link> found = parent < 1 ? Optional.empty() : onlyManifest(parent);
    if (parent < 1 || found.isPresent()) {
      return found;
    }
    Optional<Link> older = Optional.ofNullable(ancestors.floorEntry(parent)).map(Entry::getValue);
    long first = older.map(Link::commitId).orElse(0L) + 1;
    if (first <= parent) {
      damages.accept(
          new ObjectDamage(
              ObjectDamage.DamageKind.UNREACHABLE,
              branch,
              first,
              objects.key(damaged.path()),
              "a way to commits " + first + " to " + parent,
              "none, so they were not checked"));
    }
    return older;
  }

  /** Returns the manifest of a commit when no other attempt at the commit has one. */
  private Optional<Link> onlyManifest(long commitId) {
    Optional<Link> named = Optional.ofNullable(ancestors.get(commitId));
    if (named.isPresent()) {
      return named;
    }
    List<String> manifests;
    try (Stream<ObjectInfo> listed = objects.list(LedgerLayout.attempts(commitId))) {
      manifests =
          listed.map(info -> objects.path(info.key())).filter(LedgerLayout::isManifest).toList();
    }
    return manifests.size() == 1
        ? Optional.of(new Link(commitId, manifests.get(0)))
        : Optional.empty();
  }
}
