// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.Left;
import io.tidemark.ledger.schema.Relation;
import io.tidemark.ledger.schema.Right;

/** The types that the tests write. */
final class NoteTypes {

  private NoteTypes() {}

  @Entity
  record Note(@Key String id, String text, long size) {}

  @Entity
  record Author(@Key String id, String name) {}

  @Relation(left = Author.class, right = Note.class)
  record Wrote(@Left String author, @Right String note, String year) {}

  static Note note(String id, String text) {
    return new Note(id, text, text.length());
  }

  static Author author(String id) {
    return new Author(id, "Name of " + id);
  }

  static Wrote wrote(String author, String note) {
    return new Wrote(author, note, "2026");
  }
}
