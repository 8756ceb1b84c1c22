// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.objects.internal.json.CanonicalJson;
import org.jspecify.annotations.Nullable;

/**
 * Where in a row a value stands. Made for every value, put into words only when one doesn't fit.
 *
 * @param identity of the row; null as long as it isn't known
 * @param parent null for the row as a whole
 * @param name of the field; empty for an item of a list
 */
record ValuePath(
    TypeId type, @Nullable Identity identity, @Nullable ValuePath parent, String name, int index) {

  static ValuePath row(TypeId type, @Nullable Identity identity) {
    return new ValuePath(type, identity, null, "", -1);
  }

  ValuePath field(String field) {
    return new ValuePath(type, identity, this, field, -1);
  }

  ValuePath item(int i) {
    return new ValuePath(type, identity, this, "", i);
  }

  /** How many steps it is below the row. */
  int depth() {
    int depth = 0;
    for (ValuePath valuePath = parent; valuePath != null; valuePath = valuePath.parent) {
      depth++;
    }
    return depth;
  }

  /** An error that shows what was found here. */
  InvalidValueException mismatch(JsonNode found, String remedy) {
    return error(path() + " is " + ValuePreview.preview(words(found)) + "; " + remedy);
  }

  /** An error about this row. */
  InvalidValueException error(String problem) {
    String row =
        identity == null ? type.toString() : type + " " + ValuePreview.preview(identity.toString());
    return new InvalidValueException(row + ": " + ValuePreview.escapeControls(problem));
  }

  /** Such as {@code events[3].ts}. */
  String path() {
    if (parent == null) {
      return "the row";
    }
    String above = parent.parent == null ? "" : parent.path();
    if (index >= 0) {
      return above + "[" + index + "]";
    }
    return above.isEmpty() ? name : above + "." + name;
  }

  private static String words(JsonNode found) {
    if (found.isTextual()) {
      return "\"" + found.textValue() + "\"";
    }
    if (found.isFloatingPointNumber()) {
      return found.asText();
    }
    return found.isObject() || found.isArray() ? container(found) : found.toString();
  }

  /** Kept from writing out what may be large or, coming from a program, no JSON at all. */
  private static String container(JsonNode found) {
    try {
      return CanonicalJson.write(found);
    } catch (IllegalArgumentException e) {
      return found.isObject() ? "an object" : "a list";
    }
  }
}
