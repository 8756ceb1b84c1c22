// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.objects.internal.json.CanonicalJson;
import org.jspecify.annotations.Nullable;

/**
 * Location of a value in a row. Created for every value, formatted only for errors.
 *
 * @param identity identity of the row; null as long as it isn't known
 * @param parent null for the row as a whole
 * @param name name of the field; empty for an item of a list
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

  /** Returns the number of steps below the row. */
  int depth() {
    int depth = 0;
    for (ValuePath valuePath = parent; valuePath != null; valuePath = valuePath.parent) {
      depth++;
    }
    return depth;
  }

  /** Returns an error that shows the value found here. */
  InvalidValueException mismatch(JsonNode found, String remedy) {
    return error(path() + " is " + ValuePreview.preview(words(found)) + "; " + remedy);
  }

  /** Returns an error about this row. */
  InvalidValueException error(String problem) {
    String row =
        identity == null ? type.toString() : type + " " + ValuePreview.preview(identity.toString());
    return new InvalidValueException(row + ": " + ValuePreview.escapeControls(problem));
  }

  /** Returns text such as {@code events[3].ts}. */
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

  /**
   * Returns a container as JSON, or only its kind if it can't be written: a program may have put in
   * content that is no JSON.
   */
  private static String container(JsonNode found) {
    try {
      return CanonicalJson.write(found);
    } catch (IllegalArgumentException e) {
      return found.isObject() ? "an object" : "a list";
    }
  }
}
