// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.transfer;

import io.tidemark.ledger.Fact;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.InvalidValueException;
import java.util.function.Function;

/**
 * A record of a text.
 *
 * @param json what it says
 * @param name of the text, for messages
 * @param line of the text in which it begins
 */
public record TextRecord(String json, String name, long line) {

  /**
   * The fact that it asserts.
   *
   * @throws InvalidValueException when it is wrong, naming the line
   * @throws InvalidSchemaException when its type isn't known, naming the line
   */
  public Fact read(Function<String, Fact> parser) {
    try {
      return parser.apply(json);
    } catch (InvalidValueException e) {
      throw new InvalidValueException(place() + e.getMessage());
    } catch (InvalidSchemaException e) {
      throw new InvalidSchemaException(place() + e.getMessage());
    }
  }

  private String place() {
    return name + ", line " + line + ": ";
  }
}
