// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.math.BigDecimal;

/** Literal value in a query. */
public sealed interface Literal {

  /** Text; moments are text too. */
  record Text(String value) implements Literal {
    public Text {
      for (int i = 0; i < value.length(); i++) {
        if (Character.isSurrogate(value.charAt(i))) {
          if (Character.charCount(value.codePointAt(i)) == 1) {
            throw new InvalidQueryException(
                "a text to compare with has half of a surrogate pair at "
                    + i
                    + ", which is no character; give the whole or none");
          }
          i++;
        }
      }
    }

    @Override
    public String toString() {
      return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
  }

  /** A number, exactly as it is written. */
  record Num(BigDecimal value) implements Literal {
    /**
     * Largest exponent. Digits beyond it carry no meaning, and writing them out would take the
     * memory.
     */
    private static final int LARGEST_EXPONENT = 10_000;

    public Num {
      if (Math.abs((long) value.scale()) > LARGEST_EXPONENT) {
        throw new InvalidQueryException(
            "a number to compare with has the exponent "
                + -(long) value.scale()
                + "; take one from -"
                + LARGEST_EXPONENT
                + " to "
                + LARGEST_EXPONENT);
      }
    }

    @Override
    public String toString() {
      return value.toString();
    }
  }

  /** A boolean, which is never a number. */
  enum Bool implements Literal {
    FALSE,
    TRUE;

    public static Bool of(boolean value) {
      return value ? TRUE : FALSE;
    }

    public boolean value() {
      return this == TRUE;
    }

    @Override
    public String toString() {
      return value() ? "true" : "false";
    }
  }

  /** No value; it occurs in lists only, where it equals nothing. */
  enum Null implements Literal {
    NULL;

    @Override
    public String toString() {
      return "null";
    }
  }
}
