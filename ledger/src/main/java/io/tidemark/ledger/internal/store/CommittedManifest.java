// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

/** Manifest of a commit that has taken place. */
public record CommittedManifest(Manifest manifest, String path) {

  public Manifest.Link link() {
    return new Manifest.Link(manifest.commitId(), path);
  }
}
