// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.names.NameRecord;
import io.tidemark.names.Ref;
import io.tidemark.objects.TidemarkException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a name says to be indexed follows its head. It may lag, so it fails nothing. */
final class IndexHead {

  private static final Logger LOG = LoggerFactory.getLogger(IndexHead.class);

  private IndexHead() {}

  /** Makes the target say what the source says, if that is newer and of a commit it has. */
  static void carry(NameRecord source, End to) {
    Ref index = source.indexed();
    if (index.id().isEmpty()) {
      return;
    }
    try {
      boolean has = to.record().filter(record -> record.commit().t() >= index.t()).isPresent();
      if (has) {
        var unused = to.names().ledgers().publishIndex(to.address(), index);
      }
    } catch (TidemarkException e) {
      LOG.warn("what is indexed of {} doesn't follow yet: {}", to.address(), e.getMessage());
    }
  }
}
