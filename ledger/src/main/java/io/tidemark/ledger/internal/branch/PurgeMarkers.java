// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Markers for the deletion of a dropped type's files, which keep garbage collection and the
 * creation of branches apart. The collector writes the marker, abandons the branches whose
 * documents exist and whose head doesn't ({@link BranchStore#invalidateUnfinished}), and reads the
 * heads. A creation writes the documents of the branch, looks for a marker, and writes the head. So
 * the creation finds the marker; or the collector finds the documents, and either keeps the head
 * from being written or finds it. A process that dies in between leaves no branch that lacks rows.
 */
public final class PurgeMarkers {

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;

  public PurgeMarkers(LedgerObjects objects, ManifestChain manifestChain) {
    this.objects = objects;
    this.manifestChain = manifestChain;
  }

  /** Marks the files of a type from before a drop as about to be deleted. */
  public void write(TypeId type, Link drop) {
    objects.write(
        LedgerLayout.purgeNote(type, directory(drop)),
        CanonicalJson.object()
            .put("type_kind", type.kind().singular())
            .put("type_name", type.name())
            .put("commit_id", drop.commitId())
            .put("manifest_path", drop.path())
            .put("purged_at", UtcTimestamp.format(objects.store().clock().instant())),
        Condition.none());
  }

  private static String directory(Link commit) {
    return commit.path().substring(0, commit.path().lastIndexOf('/') + 1);
  }

  /**
   * Refuses a branch that begins before a drop whose files are being deleted.
   *
   * @param source the branch that it begins at, with the state of all types
   * @throws BranchRefusedException when rows of a type are gone
   */
  void requireRows(PinnedHead source, Link from) {
    Manifest newest = source.newest().orElseThrow();
    for (TypeId type : newest.typesWhere(type -> type.floor() > from.commitId())) {
      requireRows(newest, from, type);
    }
  }

  private void requireRows(Manifest newest, Link from, TypeId type) {
    Manifest at = ManifestCompleter.complete(manifestChain, manifestChain.at(from));
    Optional<Link> purged = at.lastTouch(type) == 0 ? Optional.empty() : find(from, type);
    if (purged.isPresent()) {
      throw new BranchRefusedException(
          "commit "
              + from.commitId()
              + " has rows of "
              + type
              + ", which commit "
              + purged.get().commitId()
              + " dropped with its history and 'gc' has deleted; branch at commit "
              + newest.type(type).floor()
              + " or later");
    }
  }

  /** Returns the drop whose marker says that the rows of a commit are being deleted. */
  private Optional<Link> find(Link commit, TypeId type) {
    List<String> notes;
    try (Stream<ObjectInfo> listed = objects.list(LedgerLayout.purgeNotes(type))) {
      notes = listed.map(info -> objects.path(info.key())).toList();
    }
    return notes.stream()
        .flatMap(note -> objects.read(note).stream())
        .map(
            note ->
                new Link(
                    note.json().path("commit_id").asLong(),
                    note.json().path("manifest_path").asText()))
        .filter(drop -> objects.get(drop.path()).isPresent())
        .filter(drop -> new Lineage(manifestChain, drop).contains(commit))
        .findFirst();
  }
}
