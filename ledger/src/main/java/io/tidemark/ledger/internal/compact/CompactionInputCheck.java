// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.util.List;

/**
 * Check of the files to be merged against the chain. An index may have a hole or name a failed
 * attempt. Readers recover once it is repaired, but a snapshot made of such files would hide the
 * damage for good.
 *
 * <p>Files of commits are compared with the manifests one by one. The content of a snapshot was
 * checked when it was made; only the commit before its first is checked again.
 */
final class CompactionInputCheck {

  private final LedgerObjects objects;
  private final TypeFileResolver files;
  private final Manifest newest;
  private final TypeId type;

  CompactionInputCheck(
      LedgerObjects objects, TypeFileResolver files, Manifest newest, TypeId type) {
    this.objects = objects;
    this.files = files;
    this.newest = newest;
    this.type = type;
  }

  /**
   * Checks neighbouring files.
   *
   * @return the commit before the first that touched the type; 0 for none
   * @throws CorruptLedgerException when a commit is missing between them, or is another
   */
  long check(List<Entry> inputs) {
    for (int i = inputs.size() - 1; i >= 0; i--) {
      Entry input = inputs.get(i);
      if (input.max() > newest.commitId()) {
        throw wrong("has commit " + input.max() + ", which isn't there");
      }
      if (!input.isOfOneCommit() && i > 0) {
        checkBefore(input, inputs.get(i - 1));
      } else if (input.isOfOneCommit()) {
        i = checkCommitFiles(inputs, i);
      }
    }
    Entry first = inputs.get(0);
    return first.isOfOneCommit() || first.previous().isEmpty()
        ? files.previous(newest, type, first.min())
        : first.previous().getAsLong();
  }

  /** Requires that no commit is between a snapshot and the file before it. */
  private void checkBefore(Entry snapshot, Entry before) {
    long previous =
        snapshot.previous().orElseGet(() -> files.previous(newest, type, snapshot.min()));
    if (previous != before.max()) {
      throw wrong("leaves out commit " + previous);
    }
  }

  /**
   * Requires that files of commits, up to the snapshot before them, are those of the chain.
   *
   * @return where the stretch begins
   */
  private int checkCommitFiles(List<Entry> inputs, int last) {
    int first = last;
    while (first > 0 && inputs.get(first - 1).isOfOneCommit()) {
      first--;
    }
    long lower = first > 0 ? inputs.get(first - 1).max() : inputs.get(first).min() - 1;
    List<Entry> stretch = inputs.subList(first, last + 1);
    List<Entry> truth = files.between(newest, type, lower, inputs.get(last).max());
    for (Entry commit : truth) {
      Entry found =
          stretch.stream()
              .filter(entry -> entry.path().equals(commit.path()) && entry.min() == commit.min())
              .findFirst()
              .orElseThrow(() -> wrong("leaves out or gets wrong commit " + commit.min()));
      boolean said = found.rowCount().isPresent() && commit.rowCount().isPresent();
      if (said && !found.rowCount().equals(commit.rowCount())) {
        throw wrong("gets the rows of commit " + commit.min() + " wrong");
      }
    }
    if (truth.size() < stretch.size()) {
      throw wrong("has files that aren't of any commit");
    }
    return first;
  }

  private CorruptLedgerException wrong(String problem) {
    return new CorruptLedgerException(
        LedgerLayout.index(type)
            + " of the ledger in "
            + objects.location()
            + " "
            + problem
            + "; nothing was compacted: run 'tidemark index repair --deep --apply' first");
  }
}
